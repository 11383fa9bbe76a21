import { afterFailure } from "../cache/entry_update.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { ListMemory } from "./list_memory.ts";
import { offerTools, type RuntimeParts } from "./runtime_parts.ts";
import type { ServerStart, StartInput } from "./server_start.ts";

/**
 * Offers what the cache remembers of a server while its attempt goes on. Never rejects.
 * @param isWanted Asked when the cache has answered: nothing better may be there by then.
 */
export async function offerRemembered(
  start: ServerStart,
  parts: RuntimeParts,
  isWanted: () => boolean,
): Promise<void> {
  const cached = await start.known;
  if (cached === null || !isWanted()) return;
  const { name } = start.input;
  const { rows } = parts.registries;
  if (cached.tools === null) return rows.update(name, { cached });
  offerTools(
    parts,
    start.input,
    cached.tools,
    "deferred",
    (offered) => rows.update(name, { cached, offered }),
  );
}

/** Offers what a server listed before by its new definition, until it has listed anew. */
export function offerListed(input: StartInput, parts: RuntimeParts): void {
  const { name } = input;
  const { registries: { rows }, tools } = parts;
  const row = rows.get(name);
  const listed = row?.lists.tools?.items ?? row?.cached?.tools;
  if (listed === undefined || listed === null || tools.toolsOf(name) === undefined) return;
  offerTools(parts, input, listed, "deferred", (offered) => rows.update(name, { offered }));
}

/** Remembers that an attempt failed, and when. Resolves when the cache holds it. Never rejects. */
export async function rememberFailure(
  start: ServerStart,
  { context }: RuntimeParts,
  error: ErrorInfo,
): Promise<void> {
  const at = context.clock.now();
  const memory = new ListMemory(start, context);
  memory.change((entry) => afterFailure(entry, error, at));
  await memory.written();
}
