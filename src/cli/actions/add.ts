import type { Machine } from "../../model/machine.ts";
import { addServers } from "../../edit/add_servers.ts";
import { anchoredPath } from "../../edit/anchored_path.ts";
import type { EditTarget } from "../../edit/target.ts";
import type { NewServer } from "../../edit/new_server.ts";
import { type AddWords, FORMS, newServer } from "../add_words.ts";
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

/** Every form, for whoever gave none. */
const PASTED_FORMS = `Write ${FORMS}, or paste a config: mcp add - < snippet.json`;

/** `mcp add`: writes a definition, given in words or pasted. */
export async function add(
  context: CliContext,
  flags: AddFlags,
  words: readonly string[],
): Promise<number> {
  const machine = await context.machine();
  const servers = await wanted(context, flags, words, machine);
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
  machine: Machine,
): Promise<readonly NewServer[]> {
  const [name, ...rest] = words;
  const pasted = name === "-" || rest[0] === "-" || (name === undefined && !context.canAsk());
  const { url, transport, env, header, cwd } = flags;
  if (!pasted) {
    // Each workspace that runs it later is another folder.
    const folder = cwd === undefined ? undefined : anchoredPath(cwd, machine.cwd);
    return [newServer({ ...flags, words, cwd: folder })];
  }
  const given = url ?? transport ?? env?.[0] ?? header?.[0] ?? cwd;
  if (given !== undefined || rest.length > 1) {
    throw usageError(
      "Cannot add a pasted server with further settings",
      "Write them into the pasted text, or leave out the -",
    );
  }
  const text = await context.readInput();
  if (text.trim() === "") {
    throw usageError("Cannot add a server: no words are given, and stdin is empty", PASTED_FORMS);
  }
  const { snippetServers } = await import("../../edit/snippet.ts");
  return await snippetServers(text, name === "-" ? undefined : name);
}
