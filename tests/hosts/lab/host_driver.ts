import type { JsonObject } from "../../../src/model/json.ts";
import type { ServerCommand } from "../../harness/servers.ts";
import type { TempHome } from "../../harness/temp_home.ts";
import type { Agent } from "../agents.ts";

/** Where a host is driven. */
export interface LabPlace {
  /** The home and the project that it lives in. */
  readonly home: TempHome;
  /** Address of the scripted model, without a path. */
  readonly model: string;
}

/** A host agent that runs. */
export interface RunningHost {
  /** Id of its process. */
  readonly pid: number;
  /** Says something to it; over when its turn is. */
  prompt(text: string): Promise<void>;
  /** A request of its own protocol that only its client can send; not every host has one. */
  readonly request?: (method: string, params: JsonObject) => Promise<JsonObject>;
  /** The end of what it has printed, for messages. */
  tail(): string;
  /** Ends it; no process of it is left. */
  close(): Promise<void>;
}

/** What a host makes of it when a server says that its tools have changed. */
export interface HostHabits {
  /** `refreshes`: the next request to the model has the new tools. */
  readonly listChanged: "refreshes" | "ignores";
  /** Whether a tool that is gone leaves the requests; else it stays, and a call of it is refused. */
  readonly forgets: boolean;
  /** Whether its first requests may lack the tools of a server that is still being started. */
  readonly late: boolean;
  /** Whether it starts a server that died again at the next call, or at once. */
  readonly restartsServers: boolean;
}

/** How a host agent is set up, started and talked to. One file per host. */
export interface HostDriver {
  /** What npm installs. */
  readonly agent: Agent;
  /** Its name in `mcp hooks install`. */
  readonly kind: string;
  /** How it treats servers of its own. */
  readonly habits: HostHabits;
  /** How it treats the tools of its hook, where that differs. */
  readonly withHook?: Partial<HostHabits>;
  /** Writes its own files: the scripted model, and that nothing is sent anywhere. */
  configure(place: LabPlace): Promise<void>;
  /** Writes one server, named `lab`, as its user would; `null` when it knows no MCP servers. */
  readonly enter: ((place: LabPlace, server: ServerCommand) => Promise<void>) | null;
  /**
   * Makes a running host that ignores other tools take those of its hook, by its own protocol.
   * Default: it cannot, and a new session is needed.
   */
  readonly renew?: (host: RunningHost) => Promise<void>;
  /** Starts it, ready for a prompt. */
  start(place: LabPlace): Promise<RunningHost>;
}
