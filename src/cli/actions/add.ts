import { addServers } from "../../edit/add_servers.ts";
import type { EditTarget } from "../../edit/target.ts";
import type { NewServer } from "../../edit/new_server.ts";
import { type AddWords, newServer } from "../add_words.ts";
import type { CliContext } from "../context.ts";
import { type EditFlags, printEdit } from "../edit_print.ts";
import { usageError } from "../run_action.ts";

/** Flags that say which file is meant. */
export interface TargetFlags {
  /** Whose file. */
  readonly scope?: "store" | "user" | "project" | undefined;
  /** Which agent's file. */
  readonly host?: string | undefined;
}

/** Flags of `mcp add`. */
export interface AddFlags extends EditFlags, TargetFlags, Omit<AddWords, "words"> {
  /** Enable it in this workspace, too. */
  readonly enable?: boolean | undefined;
  /** Replace another entry of the name. */
  readonly replace?: boolean | undefined;
}

/** `mcp add`: writes a definition, given in words or pasted. */
export async function add(
  context: CliContext,
  flags: AddFlags,
  words: readonly string[],
): Promise<number> {
  const machine = await context.machine();
  const servers = await wanted(context, flags, words);
  const answer = await addServers(servers, {
    machine,
    signal: context.signal,
    target: targetOf(flags),
    enable: flags.enable,
    replace: flags.replace,
    dryRun: flags.dryRun,
  });
  return await printEdit(context, flags, answer);
}

/** The file that the flags name; the store without any. */
export function targetOf({ scope, host }: TargetFlags): EditTarget {
  return { scope: scope ?? (host === undefined ? "store" : "user"), host };
}

/** The servers that the command line or stdin describes. */
async function wanted(
  context: CliContext,
  flags: AddFlags,
  words: readonly string[],
): Promise<readonly NewServer[]> {
  const [name, ...rest] = words;
  const pasted = name === "-" || rest[0] === "-" || (name === undefined && !context.canAsk());
  if (!pasted) return [newServer({ ...flags, words })];
  const { url, transport, env, header, cwd } = flags;
  const given = url ?? transport ?? env?.[0] ?? header?.[0] ?? cwd;
  if (given !== undefined || rest.length > 1) {
    throw usageError(
      "Cannot add a pasted server with further settings",
      "Write them into the pasted text, or leave out the -",
    );
  }
  const { snippetServers } = await import("../../edit/snippet.ts");
  return await snippetServers(await context.readInput(), name === "-" ? undefined : name);
}
