import { resolve } from "node:path";

import { canonicalJson } from "../definitions/canonical_json.ts";
import { inheritedNames } from "../definitions/config_reads.ts";
import { hmacHex } from "../definitions/digest.ts";
import { type FileFacts, runFingerprint } from "../definitions/run_fingerprint.ts";
import type { ResolvedConfig, ServerConfig } from "../model/definition.ts";
import type { JsonObject } from "../model/json.ts";
import { lastingVariables } from "./inherited_variables.ts";
import { factsOf } from "../platform/local_files.ts";
import { noteSecrets } from "../platform/looks.ts";
import { secretKey } from "./key_file.ts";

/** What a server would be started or reached with. */
export interface CacheKeyInput {
  /** The server's name. */
  readonly name: string;
  /** Its definition, placeholders unexpanded. */
  readonly config: ServerConfig;
  /** The same, expanded. */
  readonly resolved: ResolvedConfig;
  /** The whole environment of its process; empty for a remote server. */
  readonly environment: Readonly<Record<string, string>>;
  /** Working folder, absolute. */
  readonly cwd: string;
  /** Absolute path of its program; `null` when it has none or it was not found. */
  readonly program: string | null;
  /** Client capabilities that are declared to it: servers offer tools by them. */
  readonly capabilities: JsonObject;
  /** Hotplug's state folder, where the key of the digest lies. */
  readonly keyFolder: string;
}

/**
 * The run fingerprint of a server on this machine, 64 hexadecimal digits: what its lists are kept
 * under. It changes with the definition, the folder, the program or a file among the arguments
 * (a new version of a script is a new server), the declared capabilities, and every expanded
 * value. Of expanded values it holds a keyed digest, from which nobody can guess them.
 */
export async function cacheFingerprint(input: CacheKeyInput): Promise<string> {
  const { name, config, resolved, cwd, capabilities } = input;
  const key = await secretKey(input.keyFolder);
  return await runFingerprint({
    name,
    config,
    cwd,
    program: input.program === null ? null : programFacts(input.program),
    files: (resolved.args ?? []).flatMap((argument, index) => {
      const facts = argumentFacts(cwd, argument);
      // What a variable gave and is no file may be a secret.
      if (facts === null && argument !== config.args?.[index]) noteSecrets([argument]);
      return facts ?? [];
    }),
    capabilities,
    secretDigest: await hmacHex(key, secretText(input)),
  });
}

/** Everything that may be secret, in one text. */
function secretText({ resolved, environment }: CacheKeyInput): string {
  return canonicalJson([
    resolved.command ?? null,
    resolved.args ?? [],
    resolved.url ?? null,
    resolved.headers,
    resolved.env,
    lastingVariables(environment, inheritedNames(resolved)),
  ]);
}

/** A program that cannot be looked at still has its path. */
function programFacts(path: string): FileFacts {
  return fileFacts(path) ?? { path, size: 0, modifiedAt: 0 };
}

/** An argument that is a file. A path of the network is not touched: that alone can take minutes. */
function argumentFacts(cwd: string, argument: string): FileFacts | null {
  return /^[/\\]{2}/.test(argument) ? null : fileFacts(resolve(cwd, argument));
}

/** Size and time of a file; `null` for what is none. */
function fileFacts(path: string): FileFacts | null {
  const facts = factsOf(path);
  return facts?.isFile() === true ? { path, size: facts.size, modifiedAt: facts.mtimeMs } : null;
}
