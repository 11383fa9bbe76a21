import type { LaunchFacts } from "../cache/launch_facts.ts";
import { canonicalJson } from "../definitions/canonical_json.ts";

/** What a server is started with, in two texts to compare. */
export interface LaunchKeys {
  /**
   * Everything that its definition decides, expanded: two equal ones start the same server in the
   * same way. Secret.
   */
  readonly definition: string;
  /** The run fingerprint, which also tells of the sizes and times of the files that it runs. */
  readonly fingerprint: string;
}

/**
 * The keys of a launch. What a definition's files of variables say is in them; what its commands
 * print is not, only their texts.
 */
export function launchKeys(facts: LaunchFacts): LaunchKeys {
  const { config, commands, environment, cwd, program, fingerprint } = facts;
  const { type, command, args, env, url, headers, protocol, inheritEnv, auth, oauth } = config;
  const definition = canonicalJson([
    { type, command, args, env, url, headers, protocol, inheritEnv, auth, oauth },
    commands.map(({ field, key, command: text }) => [field, key, text]),
    environment,
    cwd,
    program?.path ?? null,
  ]);
  return { definition, fingerprint };
}
