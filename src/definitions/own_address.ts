import type { ServerConfig } from "../model/definition.ts";
import { programName } from "./program_name.ts";
import { scriptCommands } from "./script_commands.ts";

/** Programs and packages that make a stdio server of a URL among their arguments. */
const BRIDGES: ReadonlySet<string> = new Set(
  "mcp-remote mcp-remote-client mcp-proxy mcp-http-proxy mcp-streamable-http-proxy supergateway"
    .split(" "),
);

/** Names of this machine, by which it reaches itself. */
const LOOPBACK =
  /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;

/**
 * Whether a definition leads to one of the addresses that this process listens at: by its `url`, or
 * by a bridge that is told one, such as `mcp-remote`. All names of the loopback are one. Pure.
 *
 * @param addresses Whole URLs, such as `http://127.0.0.1:7777/mcp`.
 */
export function leadsToOwnAddress(
  { command, args = [], url }: Pick<ServerConfig, "command" | "args" | "url">,
  addresses: readonly string[],
): boolean {
  const own = new Set(addresses.flatMap((address) => placeOf(address) ?? []));
  if (own.size === 0) return false;
  const isOwn = (text: string): boolean => {
    const place = placeOf(text);
    return place !== null && own.has(place);
  };
  if (command === undefined) return url !== undefined && isOwn(url);
  const words = [command, ...args.flatMap((word) => [word, ...wordsOf(word)])];
  return words.some(isBridge) && words.some(isOwn);
}

/** The words of an argument that is a script. */
function wordsOf(argument: string): readonly string[] {
  return /\s/.test(argument) ? scriptCommands(argument).flat() : [];
}

function isBridge(word: string): boolean {
  return BRIDGES.has(programName(word).replace(/(?<=.)(?:@|==)[^@/]*$/, "").toLowerCase());
}

/** Where a URL leads, the same text for the same place; `null` for what is none over HTTP. */
function placeOf(text: string): string | null {
  const url = /^\s*https?:/i.test(text) ? URL.parse(text.trim()) : null;
  if (url === null) return null;
  const { protocol, hostname, pathname } = url;
  const port = url.port || (protocol === "https:" ? "443" : "80");
  const host = LOOPBACK.test(hostname) ? "localhost" : hostname;
  return `${protocol}//${host}:${port}${pathname.replace(/\/+$/, "")}`;
}
