import type { ErrorInfo } from "../model/errors.ts";
import type { Attempts } from "./attempts.ts";
import type { RuntimeParts } from "./runtime_parts.ts";

/**
 * Ends a server: its attempt, its connection, its tools. Bounded, idempotent, never rejects.
 *
 * @param blocked Why it may not run any more: its row then says so, and its source stays known.
 */
export async function endServer(
  name: string,
  attempts: Attempts,
  { registries, tools, context, onToolsChanged }: RuntimeParts,
  blocked: ErrorInfo | null = null,
): Promise<void> {
  const { rows, connections, sources } = registries;
  const connection = connections.get(name);
  const ended = [attempts.abandon(name), connection?.close()];
  if (blocked === null) sources.delete(name);
  connections.delete(name);
  const hadTools = tools.remove(name);
  // Told last, when all is in place: the host may start the server anew in its callback.
  rows.disconnect(name, blocked);
  if (hadTools) onToolsChanged();
  await Promise.allSettled(ended);
  await context.logs.kept(name);
}
