import type { HostKind } from "../host_kind.ts";
import { plainHost } from "./plain.ts";

const NEW_SESSION = "Start a new session";

/** Agents of the command line that take one entry and were not driven in a test yet. */
export const AGENT_KINDS: readonly HostKind[] = [
  plainHost({ id: "goose", scopes: ["user"], programs: ["goose"], next: NEW_SESSION }),
  plainHost({
    id: "amp",
    programs: ["amp"],
    next: `${NEW_SESSION}; a project's server asks for "amp mcp approve hotplug" first`,
  }),
  plainHost({ id: "crush", programs: ["crush"], next: NEW_SESSION }),
  plainHost({ id: "junie", isDeep: true, programs: ["junie"], next: NEW_SESSION }),
  plainHost({ id: "kilo", programs: ["kilo"], next: NEW_SESSION }),
  plainHost({ id: "auggie", programs: ["auggie"], next: NEW_SESSION }),
  plainHost({ id: "factory-droid", programs: ["droid"], next: NEW_SESSION }),
  plainHost({ id: "kimi", programs: ["kimi"], next: NEW_SESSION }),
  plainHost({ id: "amazon-q", programs: ["q"], next: NEW_SESSION }),
  plainHost({ id: "devin", programs: ["devin"], next: NEW_SESSION }),
  plainHost({ id: "deepagents", programs: ["deepagents"], next: NEW_SESSION }),
  plainHost({ id: "grok", programs: ["grok"], next: NEW_SESSION }),
  plainHost({ id: "hermes", scopes: ["user"], programs: ["hermes"], next: NEW_SESSION }),
  plainHost({ id: "mistral-vibe", programs: ["vibe"], next: NEW_SESSION }),
  plainHost({ id: "muse", scopes: ["user"], programs: ["muse"], next: NEW_SESSION }),
  plainHost({ id: "qoder", programs: ["qodercli"], next: NEW_SESSION }),
  plainHost({ id: "reasonix", programs: ["reasonix"], next: NEW_SESSION }),
  plainHost({ id: "rovo-dev", programs: ["acli"], next: NEW_SESSION }),
];
