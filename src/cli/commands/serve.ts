import { buildCommand, type Command } from "@stricli/core";
import type { ServeFlags } from "../actions/serve.ts";
import type { CliContext } from "../context.ts";
import { DISCOVERY_FLAGS, onOff, text, texts, TRACE_FLAG } from "../flags.ts";
import { parsePort } from "../port.ts";

/** `mcp serve`. */
export const serveCommand: Command<CliContext> = buildCommand<
  ServeFlags,
  readonly string[],
  CliContext
>({
  loader: async () => {
    const [{ asCommand }, { serve }] = await Promise.all([
      import("../run_action.ts"),
      import("../actions/serve.ts"),
    ]);
    return asCommand(serve);
  },
  parameters: {
    flags: {
      ...DISCOVERY_FLAGS,
      ...TRACE_FLAG,
      json: onOff("Print a failure to start, and with --http the address, as JSON on stdout"),
      http: onOff("Serve many hosts over HTTP instead of one over stdio"),
      host: text("With --http: address to listen at [default: 127.0.0.1]", "address"),
      port: {
        kind: "parsed",
        parse: parsePort,
        optional: true,
        brief: "With --http: port to listen at [default: 0, any that is free]",
        placeholder: "number",
      },
      tokenFile: text("With --http: file of the tokens that hosts show, one a line", "file"),
      allowedHost: texts("With --http: another name that it is reached by", "name"),
      allowedOrigin: texts("With --http: origin of a web page that may use it", "origin"),
      printToken: onOff("With --http: show the generated token as well"),
      for: text(
        "Kind of the host that starts it, as claude-code; leaves out what it loads",
        "host",
      ),
      only: texts("Offer these alone: <server> or <server>/<tool>, with * and ?", "pattern"),
      except: texts("Leave these out: <server> or <server>/<tool>, with * and ?", "pattern"),
      naming: {
        kind: "enum",
        values: ["server", "prefixed", "key", "bare"],
        optional: true,
        brief:
          "How tools and prompts are named [default: <server>_<tool>, or as the host needs it]",
      },
      lazy: onOff("List three tools that find, describe and call all others, to save context"),
      strict: onOff("Answer with an error when a server fails; exit with 1 when discovery does"),
      noWatch: onOff("Do not follow edits of config files"),
    },
    aliases: { v: "verbose" },
  },
  docs: {
    brief: "Be one MCP server with all that the servers offer",
    fullDescription:
      `Speaks MCP on stdin and stdout, for a host agent that starts it: one entry in its
config in place of all others. It offers the tools, prompts and resources of every
server that may run here; servers that fail cost nobody else theirs, and changes of
config files are followed. It ends with its host. Its log goes to stderr.

  mcp serve --for claude-code
  mcp serve --only files --only 'git/log*'
  mcp serve --lazy                  # "mcp status --tokens" tells what that saves

With --http it serves any number of hosts over Streamable HTTP, at /mcp, until it is
told to end. Hosts show a token, as "Authorization: Bearer <token>". By default only
this machine reaches it, and the token is one that is made at the first start and
stays the same; stderr says in which file it lies. Any other address needs a
--token-file of your own: one token a line, alone or after a name; lines of one name
are one user, who shares no session with others. Nobody else may read that file.
It is read at the start.

  mcp serve --http --port 8808
  mcp serve --http --host 0.0.0.0 --port 8808 --token-file tokens \\
    --allowed-host mcp.example.com

Requests must name the machine itself in "Host", or an --allowed-host; web pages need
an --allowed-origin. /healthz tells a supervisor whether it is well, without a token.
It has no TLS: put nginx or the like in front, as it were a plain HTTP server; hosts
that speak 2026-07-28 need no sticky sessions there. SIGTERM lets running requests end
within 10 seconds, Ctrl-C within 2; a second one ends it at once. With --json it prints
one line on stdout once it listens: {"url", "tokenFile", "pid"}.`,
    customUsage: [
      "[--for <host>] [--only <pattern>] [--except <pattern>] [--lazy] [--strict]",
      "--http [--port <number>] [--host <address> --token-file <file>]",
    ],
  },
});
