import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inApplications } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/**
 * The file of 5ire. It is never written: newer versions take it over once and keep their servers in
 * a database.
 */
const FORMAT: HostFormat = {
  id: "5ire",
  label: "5ire",
  rank: 30,
  dialect: "literal",
  environment: "base",
  key: ["mcpServers"],
  rename: { isActive: "enabled" },
  ignore: ["approvalPolicy", "capabilities", "homepage", "key", "name"],
  translate,
};

/** 5ire: the user's file. */
export const fiveIre: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [inApplications(machine, "5ire", "mcp.json")],
});

/** Variables by which a program is told of a proxy. */
const PROXY_VARIABLES: readonly string[] = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];

/** Only what is marked as active runs; the type says less than the other keys. */
function translate(raw: JsonObject): TranslatedEntry {
  const { isActive, proxy, type: _type, ...rest } = raw;
  const env = rest["env"];
  const proxies = typeof proxy === "string" && proxy.trim() !== "" && rest["url"] === undefined
    ? Object.fromEntries(PROXY_VARIABLES.map((name) => [name, proxy]))
    : {};
  const isPlain = Object.keys(proxies).length === 0 || (env !== undefined && !isJsonObject(env));
  return {
    raw: {
      ...rest,
      ...(isPlain ? {} : { env: { ...env, ...proxies } }),
      isActive: isActive ?? false,
    },
  };
}
