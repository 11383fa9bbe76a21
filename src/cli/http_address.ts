import { isIP } from "node:net";
import { isLoopback } from "../platform/http_listener.ts";
import { usageError } from "./run_action.ts";

/** What the flags of `mcp serve` say about HTTP. */
export interface HttpFlags {
  /** Serve over HTTP. */
  readonly http?: boolean | undefined;
  /** Address to listen at. */
  readonly host?: string | undefined;
  /** Port to listen at. */
  readonly port?: number | undefined;
  /** File of tokens. */
  readonly tokenFile?: string | undefined;
  /** More names that it is reached by. */
  readonly allowedHost?: readonly string[] | undefined;
  /** Origins of pages that may use it. */
  readonly allowedOrigin?: readonly string[] | undefined;
  /** Show the generated token. */
  readonly printToken?: boolean | undefined;
}

/** Where a gateway listens, and for whom. */
export interface HttpAddress {
  /** Address; `localhost` is both of this machine's own. */
  readonly host: string;
  /** Port; 0 for any that is free. */
  readonly port: number;
  /** More names that it is reached by. */
  readonly allowedHosts: readonly string[];
  /** Origins of pages that may use it. */
  readonly allowedOrigins: readonly string[];
}

/** Flags that say something only together with `--http`. */
const ONLY_WITH_HTTP: readonly (readonly [keyof HttpFlags, string])[] = [
  ["host", "--host"],
  ["port", "--port"],
  ["tokenFile", "--token-file"],
  ["allowedHost", "--allowed-host"],
  ["allowedOrigin", "--allowed-origin"],
  ["printToken", "--print-token"],
];

/**
 * Where the flags say that a gateway is to listen; `null` for nowhere. Pure.
 * @throws {HotplugError} `usage`.
 */
export function httpAddress(flags: HttpFlags): HttpAddress | null {
  if (flags.http !== true) {
    const stray = ONLY_WITH_HTTP.find(([key]) => isGiven(flags[key]));
    if (stray === undefined) return null;
    throw usageError(`${stray[1]} says nothing over stdio`, "Add --http");
  }
  const { host = "127.0.0.1", port = 0, allowedHost = [], allowedOrigin = [] } = flags;
  if (host !== "localhost" && isIP(host) === 0) {
    throw usageError(
      `Cannot listen at "${host}": it is no address`,
      "Give an IP address, as 127.0.0.1 or 0.0.0.0, or localhost",
    );
  }
  if (!isLoopback(host) && flags.tokenFile === undefined) {
    throw usageError(
      `Cannot listen at ${host} with a generated token: others reach it, too`,
      "Write tokens into a file that nobody else can read and add --token-file <file>",
    );
  }
  if (flags.printToken === true && flags.tokenFile !== undefined) {
    throw usageError(
      "--print-token shows the generated token, and there is none with --token-file",
      "Leave one of them out",
    );
  }
  allowedHost.forEach(checkHost);
  allowedOrigin.forEach(checkOrigin);
  return { host, port, allowedHosts: allowedHost, allowedOrigins: allowedOrigin };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

function checkHost(name: string): void {
  if (/^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?|\[[0-9a-fA-F:.]+\])$/.test(name)) return;
  throw usageError(
    `--allowed-host "${name}" is no name of a machine`,
    "Write the name alone, without scheme, port and path, as mcp.example.com",
  );
}

function checkOrigin(origin: string): void {
  if (/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+$/i.test(origin)) return;
  throw usageError(
    `--allowed-origin "${origin}" is no origin of a page`,
    "Write scheme, name and port as the browser sends them, as https://app.example.com",
  );
}
