import type { ServerConfig } from "../model/definition.ts";
import type { JsonObject } from "../model/json.ts";
import { canonicalJson } from "./canonical_json.ts";
import { sha256Hex } from "./digest.ts";

/** Grows when fingerprints of an older version must no longer match. */
const VERSION = "hotplug-run-1";

/** A file that a start depends on. */
export interface FileFacts {
  /** Absolute path. */
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  /** Last change, in milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** What a server is started with, as far as it decides what the server will be. */
export interface FingerprintInput {
  /** Name of the server. */
  readonly name: string;
  /** The definition in canonical form, placeholders unexpanded. */
  readonly config: ServerConfig;
  /** Working folder, absolute. */
  readonly cwd: string;
  /** The program of a stdio server; `null` when it was not found or there is none. */
  readonly program: FileFacts | null;
  /** Each argument that is a file. */
  readonly files: readonly FileFacts[];
  /** Client capabilities that are declared to it. */
  readonly capabilities: JsonObject;
  /** Keyed digest of expanded env, headers and the token's subject; see `hmacHex`. */
  readonly secretDigest: string;
}

/**
 * The run fingerprint, as 64 hex digits: equal when a server would be started with the same things
 * again. Switches, limits, tool lists and texts for humans do not change it.
 */
export function runFingerprint(input: FingerprintInput): Promise<string> {
  const { config } = input;
  return sha256Hex(canonicalJson([
    VERSION,
    input.name,
    {
      type: config.type,
      command: config.command,
      args: config.args ?? [],
      env: config.env ?? {},
      envFile: config.envFile,
      cwd: config.cwd,
      url: config.url,
      headers: config.headers ?? {},
      protocol: config.protocol ?? "auto",
      inheritEnv: config.inheritEnv,
      auth: config.auth,
      oauth: config.oauth,
    },
    input.cwd,
    input.program === null ? null : fileKey(input.program),
    input.files.map(fileKey),
    input.capabilities,
    input.secretDigest,
  ]));
}

function fileKey(file: FileFacts): readonly (string | number)[] {
  return [file.path, file.size, file.modifiedAt];
}
