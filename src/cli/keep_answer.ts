import { statSync } from "node:fs";
import { dirname, normalize } from "node:path";
import type { Look, LookRecord } from "../platform/looks.ts";
import { type AnswerPlace, type KeptAnswer, MAX_ANSWER } from "./answer_file.ts";
import { isRacy, signNow, signOf } from "./disk_sign.ts";
import type { ToolsAnswer } from "./tools_print.ts";

/** An answer that was given without starting anything. */
export interface GivenAnswer {
  /** What was printed. */
  readonly printed: ToolsAnswer;
  /** What was looked at for it. */
  readonly record: LookRecord;
  /** When the looking began, in milliseconds since 1970. */
  readonly begunAt: number;
  /** The moment that its ages are counted to, in milliseconds since 1970. */
  readonly madeAt: number;
  /** Until when every list in it is fresh; `null` when it holds none. */
  readonly freshUntil: number | null;
}

/**
 * Keeps an answer for the next time that the same is asked, unless it may change unseen (a file
 * changed just before or meanwhile) or holds a secret. Never rejects: what is not kept is found
 * out anew.
 *
 * @param programFiles Files of this program: a new build may answer otherwise.
 */
export async function keepAnswer(
  place: AnswerPlace,
  given: GivenAnswer,
  programFiles: readonly string[] = [],
): Promise<void> {
  try {
    const { printed, madeAt, freshUntil, record } = given;
    if (record.unseen) return;
    const looks = settledLooks([...record.looks, ...programFiles.map(programLook)], given.begunAt);
    if (looks === null) return;
    const kept: KeptAnswer = { ...place.head, madeAt, freshUntil, looks, printed };
    const text = JSON.stringify(kept);
    if (text.length > MAX_ANSWER) return;
    // Loaded here, since whoever finds an answer has no use for them.
    const { textMasker } = await import("../definitions/secrets.ts");
    const secrets = new Set(record.secrets.flatMap((secret) => [secret, asInPath(secret)]));
    if (textMasker([...secrets])(text) !== text) return;
    if (looks.some(([how, path, sign]) => signNow(how, path) !== sign)) return;
    const [{ writePrivateFile }, { sweepEntries }] = await Promise.all([
      import("../platform/private_file.ts"),
      import("../cache/sweep_entries.ts"),
    ]);
    // A file that a power failure tore is a miss, so nobody needs to wait for the disk.
    await writePrivateFile(place.path, text, { lasting: false });
    await sweepEntries(dirname(place.path), Date.now());
  } catch {
    // Read-only or full disk.
  }
}

/** A secret as it stands in a path that was made of it: `a//b/` became `a/b` there. */
function asInPath(secret: string): string {
  return normalize(secret).replace(/^(?:\.\.?[/\\])+|[/\\]+$/g, "");
}

/** A look at a file of this program. */
function programLook(path: string): Look {
  return { how: "stat", path, found: statSync(path, { throwIfNoEntry: false }) ?? null };
}

/** Each look once, with its sign; `null` when one may change unseen or did change. */
function settledLooks(all: readonly Look[], begunAt: number): KeptAnswer["looks"] | null {
  const looks = new Map<string, KeptAnswer["looks"][number]>();
  for (const look of all) {
    if (isRacy(look, begunAt)) return null;
    const id = `${look.how}\0${look.path}`;
    const sign = signOf(look);
    if ((looks.get(id)?.[2] ?? sign) !== sign) return null;
    looks.set(id, [look.how, look.path, sign]);
  }
  return [...looks.values()];
}
