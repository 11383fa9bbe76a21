import type { SessionOutcome } from "./ask_sessions.ts";
import { type Paint, painter } from "./colour.ts";
import type { CliContext } from "./context.ts";
import { errorLines } from "./error_text.ts";
import type { AnswerFlags } from "./flags.ts";
import { refreshLines, refreshPlain } from "./refresh_text.ts";
import { sessionLine } from "./session_text.ts";
import { shownLine } from "./shown.ts";

/** How what became of sessions is printed. */
export interface SessionPrintFlags extends AnswerFlags {
  /** One line of words for each session, tool and server. */
  readonly plain?: boolean | undefined;
}

/** Prints what became of each session as soon as it is known; nothing with `--json`. */
export class SessionPrinter {
  readonly #context: CliContext;
  readonly #flags: SessionPrintFlags;
  readonly #home: string | undefined;
  #printed = 0;

  /** @param home Home folder. Given, each session's workspace is told, too. */
  constructor(context: CliContext, flags: SessionPrintFlags, home: string | undefined) {
    this.#context = context;
    this.#flags = flags;
    this.#home = home;
  }

  /** Prints one. What was given up by the user is not told of. */
  print(outcome: SessionOutcome): void {
    if (this.#flags.json === true || outcome.error?.code === "aborted") return;
    const { stdout } = this.#context.output;
    const gap = this.#printed++ > 0 && this.#flags.plain !== true ? [""] : [];
    const lines = this.#flags.plain === true
      ? plainLines(outcome)
      : this.#textLines(outcome, painter(stdout.colour));
    stdout.write(`${[...gap, ...lines].join("\n")}\n`);
  }

  #textLines({ info, report, error }: SessionOutcome, paint: Paint): readonly string[] {
    const heading = paint("bold", sessionLine(info, Date.now(), this.#home));
    if (error !== null) {
      return [heading, ...errorLines(error.toInfo(), { indent: "  ", paint })];
    }
    const { columns: width } = this.#context.output.stdout;
    return [heading, ...report === null ? [] : refreshLines(report, { paint, width })];
  }
}

function plainLines({ info, report, error }: SessionOutcome): readonly string[] {
  if (report !== null) return refreshPlain(report, info.id);
  const why = error === null ? "" : ` error=${shownLine(error.message)}`;
  return [`failed session=${info.id}${why}`];
}
