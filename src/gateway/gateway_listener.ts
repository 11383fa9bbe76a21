import type { JsonObject } from "../model/json.ts";
import type { ServerView } from "../model/server_view.ts";
import type { RefreshOutcome, ToolSet } from "../model/tool_set.ts";
import type { AskableHost } from "./bridge/session_bridge.ts";
import type { Host } from "./host.ts";
import type { ListVersions } from "./list_watch.ts";
import type { ChangingList } from "./listen_streams.ts";

/** A host that is there: told of changes behind a gateway, and asked for what servers need. */
export interface GatewayListener extends Omit<AskableHost, "capabilities"> {
  /** Which host it is. */
  readonly host: Host;
  /** The tool set is another one. */
  refresh(toolSet: ToolSet): Promise<RefreshOutcome>;
  /** Prompts or resources are others, as hosts see them. */
  listChanged(list: ChangingList, versions: ListVersions): void;
  /** The row of a server has changed. */
  serverChanged(view: ServerView): void;
  /** A server has written to its log: the params as received. */
  logged(server: string, params: JsonObject): void;
}

/** What hosts make of a refresh; the first that one of them did counts for all. */
const WORST_FIRST: readonly RefreshOutcome[] = ["failed", "ignored", "announced", "refreshed"];

/** What a refresh comes to that several hosts were told of. Pure. */
export function worstOutcome(outcomes: readonly RefreshOutcome[]): RefreshOutcome {
  return WORST_FIRST.find((outcome) => outcomes.includes(outcome)) ?? "announced";
}

/** The hosts of the legacy era among them: they can be asked at any time. */
export function askableHosts(listeners: readonly GatewayListener[]): readonly AskableHost[] {
  return listeners.flatMap(({ host: { opening }, ask, tell }) =>
    opening === null ? [] : [{ capabilities: opening.capabilities, ask, tell }]
  );
}
