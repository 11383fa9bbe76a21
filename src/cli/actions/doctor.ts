import { examine } from "../../doctor/examine.ts";
import { CHECKS, type Severity } from "../../doctor/finding.ts";
import { painter } from "../colour.ts";
import type { CliContext } from "../context.ts";
import { homeFolder, machineIn } from "../named_folders.ts";
import { doctorLines } from "../doctor_text.ts";
import { type DoctorDocument, SCHEMA_VERSION } from "../documents.ts";
import type { AnswerFlags } from "../flags.ts";
import { jsonText } from "../json_output.ts";
import { unknownName } from "../server_choice.ts";

/** Flags of `mcp doctor`. */
export interface DoctorFlags extends AnswerFlags {
  /** Folder to work in, instead of the current one. */
  readonly cwd?: string | undefined;
  /** Home folder whose agents' files are read, instead of the user's. */
  readonly home?: string | undefined;
  /** Exit with 1 when an error was found. */
  readonly strict?: boolean | undefined;
}

/** `mcp doctor`: what keeps servers from working, or may, and what to do. Starts nothing. */
export async function doctor(
  context: CliContext,
  flags: DoctorFlags,
  names: readonly string[],
): Promise<number> {
  const machine = await machineIn(context, flags.cwd);
  const home = homeFolder(machine, flags.home);
  const { workspacePath, names: known, findings } = await examine({
    machine,
    home,
    servers: names,
    signal: context.signal,
    now: Date.now(),
  });
  for (const name of names) {
    if (!known.includes(name)) throw unknownName("server", name, known);
  }
  const servers = names.length === 0 ? known : known.filter((name) => names.includes(name));
  const count = (severity: Severity): number =>
    findings.filter((finding) => finding.severity === severity).length;
  const { stdout } = context.output;
  if (flags.json === true) {
    const document: DoctorDocument = {
      schemaVersion: SCHEMA_VERSION,
      workspacePath,
      servers,
      checks: CHECKS,
      findings,
      summary: { errors: count("error"), warnings: count("warning"), infos: count("info") },
    };
    stdout.write(jsonText(document));
  } else {
    const lines = doctorLines(findings, {
      workspacePath,
      home: machine.home,
      checks: CHECKS.length,
      servers: servers.length,
      paint: painter(stdout.colour),
    });
    stdout.write(`${lines.join("\n")}\n`);
  }
  return flags.strict === true && count("error") > 0 ? 1 : 0;
}
