import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HotplugFolders, Machine } from "../model/machine.ts";
import { VERSION } from "../model/version.ts";
import type { HowLooked } from "./disk_sign.ts";
import type { Output } from "./output.ts";
import type { ToolsAnswer } from "./tools_print.ts";

/** Characters of the largest answer that is kept: 4 Mi, as much as 25 of the largest known servers. */
export const MAX_ANSWER: number = 4 * 1024 * 1024;

/** Grows when the file's shape changes. */
const FORMAT = 1;

/** An answer of `mcp tools` that is kept, and all that it depended on. */
export interface KeptAnswer {
  /** Shape of the file. */
  readonly format: number;
  /** The digest that it is kept under. */
  readonly key: string;
  /** Digest of the whole environment. */
  readonly environment: string;
  /** When it was made, in milliseconds since 1970. */
  readonly madeAt: number;
  /** Until when every list in it is fresh; `null` when it holds none. */
  readonly freshUntil: number | null;
  /** What was looked at, how, and what was found. */
  readonly looks: readonly (readonly [HowLooked, string, string])[];
  /** The answer. */
  readonly printed: ToolsAnswer;
}

/** Where an answer is kept, and what must be the same. */
export interface AnswerPlace {
  /** Path of the file. */
  readonly path: string;
  /** The first fields of {@linkcode KeptAnswer}. */
  readonly head: Pick<KeptAnswer, "format" | "key" | "environment">;
}

/** What an answer is kept for. */
export interface AnswerRequest {
  /** The whole command line. */
  readonly args: readonly string[];
  /** The machine. */
  readonly machine: Machine;
  /** Hotplug's own folders. */
  readonly folders: HotplugFolders;
  /** Where it is printed: width and colours are part of the answer. */
  readonly output: Pick<Output, "stdout" | "stderr">;
}

/** The folder of kept answers. */
export function answersFolder(folders: Pick<HotplugFolders, "cache">): string {
  return join(folders.cache, "answers");
}

/**
 * Where the answer to a command line is kept; `null` when none may be.
 *
 * The digest of the environment is made with this user's key, so that nobody can guess a variable
 * from a copy of the file.
 */
export async function answerPlace(request: AnswerRequest): Promise<AnswerPlace | null> {
  const { args, folders, machine: { platform, env, home, tmp, cwd, uid }, output } = request;
  // What this variable says is told each time, by those who know what it means.
  if ((env["HOTPLUG_TRUST"] ?? "") !== "") return null;
  const layout = [output.stdout.columns, output.stdout.colour, output.stderr.colour];
  const asked = [FORMAT, VERSION, platform, uid, home, tmp, cwd, layout, args];
  try {
    const secret = readFileSync(join(folders.state, "cache-key"), "utf8");
    const variables = Object.entries(env).sort(([a], [b]) => a < b ? -1 : 1);
    const [key, environment] = await Promise.all([
      sha256(JSON.stringify(asked)),
      sha256(`${secret}\n${JSON.stringify(variables)}`),
    ]);
    const path = join(answersFolder(folders), `${key}.json`);
    return { path, head: { format: FORMAT, key, environment } };
  } catch {
    return null;
  }
}

async function sha256(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
