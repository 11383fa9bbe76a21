import { resolve } from "node:path";
import process from "node:process";
import type { GatewayOptions } from "../../gateway/gateway.ts";
import { serveHttp } from "../../gateway/http/serve_http.ts";
import { ownToken, tokensOf } from "../../gateway/http/token_file.ts";
import type { HotplugFolders, Machine } from "../../model/machine.ts";
import type { CliContext } from "../context.ts";
import type { AnswerFlags } from "../flags.ts";
import type { HttpAddress, HttpFlags } from "../http_address.ts";
import { harmlessJson } from "../json_output.ts";
import { endingSignal } from "../signals.ts";
import { printable } from "../../tools/visible_text.ts";

/** Milliseconds that running requests have to end after SIGTERM, as a supervisor sends it. */
const DRAIN_MS = 10_000;

/** The same after any other signal: somebody waits at a terminal. */
const QUICK_DRAIN_MS = 2_000;

/** What {@linkcode overHttp} takes. */
export interface OverHttpOptions {
  /** The command's context. */
  readonly context: CliContext;
  /** Its flags. */
  readonly flags: HttpFlags & AnswerFlags;
  /** What is served. */
  readonly gateway: GatewayOptions;
  /** Where. */
  readonly address: HttpAddress;
  /** The machine. */
  readonly machine: Machine;
  /** Hotplug's own folders. */
  readonly folders: HotplugFolders;
}

/**
 * Serves a gateway over HTTP until a signal ends it. Says on stderr where it is found and where its
 * token lies, never the token unless it is asked to; with `--json` one line on stdout says it, too.
 * @throws {HotplugError} `usage`, `config-unreadable`, `config-malformed`, `write-failed`.
 */
export async function overHttp(options: OverHttpOptions): Promise<void> {
  const { context, flags, gateway, address, machine, folders } = options;
  const { output, signal } = context;
  const given = flags.tokenFile === undefined ? null : resolve(machine.cwd, flags.tokenFile);
  const { path, tokens } = given === null
    ? await ownToken(folders.state, machine)
    : { path: given, tokens: await tokensOf(given, machine) };
  const token = flags.printToken === true ? tokens[0]?.token : undefined;
  await serveHttp({
    ...gateway,
    ...address,
    tokens,
    signal,
    drainMs: () => endingSignal(signal) === "SIGTERM" ? DRAIN_MS : QUICK_DRAIN_MS,
    onReady(url): void {
      const shown = token === undefined ? "" : `\nToken: ${token}`;
      output.stderr.write(`Listening at ${url} (token in ${printable(path)})${shown}\n`);
      if (flags.json !== true) return;
      const facts = {
        url,
        tokenFile: path,
        pid: process.pid,
        ...(token === undefined ? {} : { token }),
      };
      output.stdout.write(`${harmlessJson(JSON.stringify(facts))}\n`);
    },
  });
}
