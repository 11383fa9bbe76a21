import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";

/** How an entry is written that VS Code, and what took its format over, reads. */
export const VSCODE_FORMAT: Omit<HostFormat, "id" | "label"> = {
  rank: 40,
  dialect: "vscode",
  environment: "all",
  key: ["servers"],
  ignore: ["dev", "gallery", "sandbox", "sandboxEnabled", "version"],
  translate,
  spelling: {
    types: { stdio: "stdio", streamable_http: "http", sse: "sse" },
    keys: ["cwd", "envFile", "oauth"],
    unsets: true,
  },
};

/** What cannot be reached, by how its url begins. */
const SOCKETS: ReadonlyMap<string, string> = new Map([
  ["unix:", "sockets of the file system (unix://)"],
  ["pipe:", "named pipes (pipe://)"],
]);

/**
 * Takes entries apart as VS Code does: what it calls `http` is tried as SSE, too, and entries that
 * its first gallery wrote hold the server in `config`.
 */
function translate(raw: JsonObject): TranslatedEntry {
  const { transport, ...entry } = isJsonObject(raw["config"]) ? raw["config"] : raw;
  const { url, type } = entry;
  const socket = typeof url === "string" ? SOCKETS.get(url.trim().slice(0, 5).toLowerCase()) : null;
  if (typeof socket === "string") {
    return { raw: without(entry, ["type", "url"]), problems: [notSupported(socket)] };
  }
  const named = typeof transport === "string" ? { ...entry, type: transport } : entry;
  const isOpen = named === entry && type === "http" && url !== undefined;
  return { raw: isOpen ? without(entry, ["type"]) : named };
}

function without(entry: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !keys.includes(key)));
}

function notSupported(what: string): ErrorInfo {
  return {
    code: "config-invalid",
    message: `Cannot use "url": ${what} are not supported`,
    hint: "Let the server listen on an http address, or start it by its command",
  };
}
