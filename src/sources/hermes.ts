import { join } from "node:path";
import { splitCommandLine } from "../definitions/command_line.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inHome, inLocal, movedTo } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** Hermes Agent's settings, of which its servers are a part. */
const FORMAT: HostFormat = {
  id: "hermes",
  label: "Hermes Agent",
  rank: 30,
  dialect: "common",
  environment: "base",
  key: ["mcp_servers"],
  shared: true,
  timeoutUnit: "s",
  rename: { transport: "type", connect_timeout: "startupTimeout", timeout: "callTimeout" },
  ignore: [
    "elicitation",
    "idle_timeout_seconds",
    "keepalive_interval",
    "max_lifetime_seconds",
    "sampling",
    "skip_preflight",
    "supports_parallel_tool_calls",
    "trust",
  ],
  translate,
  spelling: {
    types: { stdio: null, streamable_http: null, sse: "sse" },
    typeKey: "transport",
    keys: [
      "cwd",
      "startupTimeout",
      "callTimeout",
      "enabledTools",
      "disabledTools",
      "protocol",
      "auth",
      "oauth",
    ],
    off: { kind: "key", key: "enabled", off: false },
    finish: withToolsBlock,
  },
};

/** Hermes Agent: `config.yaml` of its home folder. */
export const hermes: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [join(homeOf(machine), "config.yaml")],
});

/** Hermes' own home folder. */
function homeOf(machine: Machine): string {
  const moved = movedTo(machine, "HERMES_HOME");
  if (moved !== null) return moved;
  return machine.platform === "win32" ? inLocal(machine, "hermes") : inHome(machine, ".hermes");
}

/** Hermes' words for the protocol, each with the usual one. */
const PROTOCOLS: ReadonlyMap<JsonValue, string> = new Map([
  ["handshake", "legacy"],
  ["modern", "2026-07-28"],
  ["stateless", "2026-07-28"],
]);

/** Takes the lists out of `tools`, and arguments out of a text; only one transport has a name. */
function translate(raw: JsonObject): TranslatedEntry {
  const { tools, transport, protocol, args, ...rest } = raw;
  const { include, exclude } = isJsonObject(tools) ? tools : {};
  return {
    raw: {
      ...rest,
      ...(transport === "sse" ? { transport } : {}),
      ...(protocol === undefined || protocol === null
        ? {}
        : { protocol: PROTOCOLS.get(protocol) ?? protocol }),
      ...(args === undefined ? {} : { args: asList(args) }),
      ...(include === undefined ? {} : { enabledTools: include }),
      ...(exclude === undefined ? {} : { disabledTools: exclude }),
    },
  };
}

/** Arguments that stand in one text: a list in quotes, or words as in a shell. */
function asList(args: JsonValue): JsonValue {
  if (typeof args !== "string") return args;
  const text = args.trim();
  if (!text.startsWith("[")) return splitCommandLine(text);
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return args;
  }
}

/** The lists of tools in a block of their own. */
function withToolsBlock(
  { enabledTools, disabledTools, ...rest }: JsonObject,
): { readonly raw: JsonObject } {
  if (enabledTools === undefined && disabledTools === undefined) return { raw: rest };
  const tools = {
    ...(enabledTools === undefined ? {} : { include: enabledTools }),
    ...(disabledTools === undefined ? {} : { exclude: disabledTools }),
  };
  return { raw: { ...rest, tools } };
}
