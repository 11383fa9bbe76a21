import type { HostSpelling } from "./host_spelling.ts";

/** How entries are written in the canonical form: everything has its own word. */
export const CANONICAL_SPELLING: HostSpelling = {
  // What `.mcp.json` holds is read by other hosts too, which know "http" and need a type.
  types: { stdio: null, streamable_http: "http", sse: "sse" },
  keys: [
    "envFile",
    "cwd",
    "startupTimeout",
    "callTimeout",
    "enabledTools",
    "disabledTools",
    "autoApprove",
    "protocol",
    "inheritEnv",
    "share",
    "auth",
    "oauth",
    "description",
  ],
  unsets: true,
  off: { kind: "key", key: "enabled", off: false },
};
