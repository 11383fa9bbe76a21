import type { ServerConfig, TransportType } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { nameProblem } from "./server_name.ts";
import { isHeaderName, isHeaderValue, urlFault } from "./http_fields.ts";
import { TRANSPORT_SPELLINGS } from "./transport_type.ts";

/** The types that can be written, for hints. */
export const TYPE_HINT: string = `Accepted are ${
  Object.entries(TRANSPORT_SPELLINGS).map(([type, spellings]) =>
    spellings.length > 1 ? `${type} (also ${spellings.slice(1).join(", ")})` : type
  ).join("; ")
}`;

/** What is said about a type that no known host uses; the types that are accepted are named. */
export function unknownType(type: string): string {
  const shown = type.length > 40 ? `${type.slice(0, 40)}…` : type;
  return `Unknown type ${JSON.stringify(shown)}: accepted are ${
    Object.keys(TRANSPORT_SPELLINGS).join(", ")
  }`;
}

/**
 * Why a server can never run as declared; empty when it is valid. Never throws, also for a config
 * that a program without type checks made.
 */
export function validateServerConfig(name: string, config: ServerConfig): readonly ErrorInfo[] {
  const badName = nameProblem(name);
  return [
    ...(badName === null ? [] : [badName]),
    ...transportProblems(config),
    ...textProblems(config),
  ];
}

/** Why type, command and url do not fit together. */
export function transportProblems(config: ServerConfig): readonly ErrorInfo[] {
  const { type, command, url } = config;
  const hasCommand = typeof command === "string" && command.trim() !== "";
  const hasUrl = typeof url === "string" && url.trim() !== "";
  if (type !== undefined && !Object.hasOwn(TRANSPORT_SPELLINGS, type)) {
    return [problem(unknownType(String(type)), TYPE_HINT)];
  }
  if (type === "stdio") {
    if (hasCommand) return [];
    const hint = hasUrl
      ? `It has a url: did you mean "type": "streamable_http"`
      : typeof command === "string"
      ? EMPTY_HINTS.command
      : null;
    return [problem("stdio transport requires command", hint)];
  }
  if (type !== undefined) return remoteProblems(type, hasUrl ? url : null, hasCommand);
  if (hasCommand && hasUrl) {
    return [problem(
      `Cannot tell the transport: both "command" and "url" are given`,
      `Remove one of them, or add "type"`,
    )];
  }
  if (hasUrl) return remoteProblems(undefined, url, false);
  if (hasCommand) return [];
  for (const key of ["command", "url"] as const) {
    if (typeof config[key] !== "string") continue;
    return [problem(`Cannot start this server: "${key}" is empty`, EMPTY_HINTS[key])];
  }
  return [problem(
    `Cannot start this server: the entry holds neither "command" nor "url"`,
    `Add "command" for a local server or "url" for a remote one`,
  )];
}

/** What to do about a key that is there and holds nothing. */
const EMPTY_HINTS = {
  command: 'Write the program into "command"',
  url: 'Write the address into "url"',
} as const;

function remoteProblems(
  type: TransportType | undefined,
  url: string | null,
  hasCommand: boolean,
): readonly ErrorInfo[] {
  if (url === null) {
    const hint = hasCommand ? `It has a command: did you mean "type": "stdio"` : null;
    return [problem(`${type ?? "streamable_http"} transport requires url`, hint)];
  }
  const fault = urlFault(url, true);
  return fault === null ? [] : [fault];
}

/** Which texts no process can be given and no request can carry. */
export function textProblems(config: ServerConfig): readonly ErrorInfo[] {
  const problems: ErrorInfo[] = [];
  const plain: [string, unknown][] = [
    ["command", config.command],
    ["cwd", config.cwd],
    ["envFile", config.envFile],
    ...(Array.isArray(config.args) ? config.args : []).map((
      text: unknown,
      index: number,
    ): [string, unknown] => [`args[${index}]`, text]),
    ...Object.entries(config.env ?? {}).map(([key, text]): [string, unknown] => [
      `env.${key}`,
      text,
    ]),
  ];
  for (const [field, text] of plain) {
    if (typeof text === "string" && text.includes("\0")) {
      problems.push(problem(`Cannot use "${field}": it holds a NUL character`));
    }
  }
  for (const key of Object.keys(config.env ?? {})) {
    if (/[=\0]/.test(key)) {
      problems.push(problem(
        `Cannot use the variable name ${JSON.stringify(key.replace(/[=\0].*$/s, "…"))}: ` +
          `it holds "=" or a NUL character`,
        `Write the name as the key and what follows "=" as its value`,
      ));
    }
  }
  for (const [header, value] of Object.entries(config.headers ?? {})) {
    if (!isHeaderName(header)) {
      problems.push(problem(
        `Cannot use the header name ${JSON.stringify(header.slice(0, 60))}: ` +
          `HTTP allows letters, digits and !#$%&'*+-.^_\`|~ only`,
      ));
    } else if (typeof value === "string" && !isHeaderValue(value)) {
      problems.push(problem(
        `Cannot use "headers.${header}": it holds a line break or a character that HTTP cannot carry`,
      ));
    }
  }
  return problems;
}

function problem(message: string, hint: string | null = null): ErrorInfo {
  return { code: "config-invalid", message, hint };
}
