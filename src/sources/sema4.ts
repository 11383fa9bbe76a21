import type { JsonObject } from "../model/json.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inHome, inLocal } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** The file of Sema4.ai Studio. Neither the program nor its documentation confirms its shape. */
const FORMAT: HostFormat = {
  id: "sema4",
  label: "Sema4.ai Studio",
  rank: 30,
  dialect: "common",
  environment: "base",
  confirmed: false,
  key: ["mcpServers"],
  rename: { transport: "type" },
  translate,
  spelling: {
    types: { stdio: "stdio", streamable_http: "streamable-http", sse: "sse" },
    typeKey: "transport",
  },
};

/** Sema4.ai Studio: the user's file. */
export const sema4: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    machine.platform === "win32"
      ? inLocal(machine, "sema4ai", "sema4ai-studio", "mcp_servers.json")
      : inHome(machine, ".sema4ai", "sema4ai-studio", "mcp_servers.json"),
  ],
});

/** `auto` leaves the transport to be found out. */
function translate({ transport, ...rest }: JsonObject): TranslatedEntry {
  return { raw: transport === undefined || transport === "auto" ? rest : { ...rest, transport } };
}
