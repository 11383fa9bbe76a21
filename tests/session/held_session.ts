import type { ToolSet, ToolSetDiff } from "../../src/model/tool_set.ts";
import { createSession } from "../../src/session/create_session.ts";
import type { MCPSession } from "../../src/session/session.ts";
import type { SessionOptions } from "../../src/session/session_options.ts";
import type { ManagerWorld } from "../runtime/running_manager.ts";

/** A session, and every refresh that its host was told of. */
export interface HeldSession extends AsyncDisposable {
  readonly session: MCPSession;
  readonly told: { readonly set: ToolSet; readonly diff: ToolSetDiff }[];
  readonly names: () => readonly string[];
  readonly pid: (name: string) => number | null;
  readonly state: (name: string) => string | undefined;
}

/** A session in a test's home. */
export async function held(
  world: ManagerWorld,
  options: SessionOptions = {},
): Promise<HeldSession> {
  const told: { set: ToolSet; diff: ToolSetDiff }[] = [];
  const session = await createSession({
    cwd: world.project,
    machine: world.machine,
    onRefresh: (set, diff) => void told.push({ set, diff }),
    ...options,
  });
  const row = (name: string) => session.status().servers.find((view) => view.name === name);
  return {
    session,
    told,
    names: () => session.tools.map(({ name }) => name),
    pid: (name) => row(name)?.pid ?? null,
    state: (name) => row(name)?.state,
    [Symbol.asyncDispose]: () => session.close(),
  };
}

/** Those of public names that belong to a server. */
export function of(names: readonly string[], server: string): readonly string[] {
  return names.filter((name) => name.startsWith(`mcp_${server}_`));
}
