import { join } from "node:path";
import type { JsonObject } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inApplications, inHome, inRoaming, movedTo } from "./host_paths.ts";
import { type HostFile, hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { withActivation } from "./reasonix_activation.ts";

/** Reasonix' settings, whose servers are a list among other things. */
const FORMAT: HostFormat = {
  id: "reasonix",
  label: "Reasonix",
  rank: 30,
  dialect: "braces",
  environment: "all",
  key: ["plugins"],
  shared: true,
  list: "name",
  timeoutUnit: "s",
  rename: {
    auto_start: "enabled",
    call_timeout_seconds: "callTimeout",
    dir: "cwd",
    startup_timeout_seconds: "startupTimeout",
  },
  ignore: [
    "approvals_reviewer",
    "concurrency",
    "default_tools_approval_mode",
    "tier",
    "tool_timeout_seconds",
    "tools",
    "trusted_read_only_tools",
  ],
  translate,
  spelling: {
    types: { stdio: "stdio", streamable_http: "http", sse: "sse" },
    keys: ["cwd", "startupTimeout", "callTimeout"],
    off: { kind: "key", key: "auto_start", off: false },
    finish: (raw) => ({ raw: inWholeSeconds(raw) }),
  },
};

/** Reasonix: `reasonix.toml` of the project, and the user's settings. */
export const reasonix: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [join(homeOf(machine), "config.toml"), ...olderFiles(machine)],
  projectFiles: ["reasonix.toml"],
  finish: (reading, context) =>
    withActivation(
      reading,
      context,
      FORMAT,
      join(homeOf(context.machine), "mcp-activation.json"),
    ),
});

/** Reasonix' own home folder. */
function homeOf(machine: Machine): string {
  const moved = movedTo(machine, "REASONIX_HOME");
  if (moved !== null) return moved;
  return machine.platform === "win32"
    ? inRoaming(machine, "reasonix")
    : inHome(machine, ".reasonix");
}

/** Where earlier versions had the user's settings; they are read while there are no newer ones. */
function olderFiles(machine: Machine): readonly HostFile[] {
  if (machine.platform === "win32") return [];
  const folders = new Set([
    inApplications(machine, "reasonix"),
    inHome(machine, ".config", "reasonix"),
  ]);
  return [...folders].map((folder) => ({ path: join(folder, "config.toml"), written: false }));
}

/** Keys whose zero means that nothing is said. */
const LIMITS: readonly string[] = ["call_timeout_seconds", "startup_timeout_seconds"];

function translate(raw: JsonObject): TranslatedEntry {
  const said = Object.entries(raw).filter(([key, value]) => !LIMITS.includes(key) || value !== 0);
  return { raw: Object.fromEntries(said) };
}

/** Reasonix takes no parts of seconds. */
function inWholeSeconds(raw: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(raw).map(([key, value]) => [
      key,
      LIMITS.includes(key) && typeof value === "number" ? Math.ceil(value) : value,
    ]),
  );
}
