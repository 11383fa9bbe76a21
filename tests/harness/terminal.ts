import { program } from "./run_cli.ts";
import type { TempHome } from "./temp_home.ts";

/** Whether this machine can run a program in a terminal of its own: `script` of util-linux. */
export const HAS_TERMINAL: boolean = await new Deno.Command("script", { args: ["--version"] })
  .output().then(({ success }) => success, () => false);

/** What a terminal showed. */
export interface Screen {
  /** Everything that was written to it, control sequences included. */
  readonly text: string;
  /** Exit status of the program. */
  readonly code: number;
  /** Milliseconds until a text was first on the screen; `null` when it never was. */
  seenAfter(text: string): number | null;
}

/** Runs `mcp` in a terminal of 40 rows and 120 columns. */
export async function mcpInTerminal(args: readonly string[], home: TempHome): Promise<Screen> {
  const line = [...program(), ...args].map((word) => `'${word}'`).join(" ");
  const start = performance.now();
  const child = new Deno.Command("script", {
    args: ["--quiet", "--return", "--command", `stty rows 40 cols 120; exec ${line}`, "/dev/null"],
    cwd: home.project,
    clearEnv: true,
    env: { ...home.env, TERM: "xterm-256color" },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const pieces: { readonly at: number; readonly text: string }[] = [];
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    pieces.push({ at: performance.now() - start, text });
  }
  const { code } = await child.status;
  return {
    text: pieces.map(({ text }) => text).join(""),
    code,
    seenAfter(text): number | null {
      let shown = "";
      for (const piece of pieces) {
        shown += piece.text;
        if (shown.includes(text)) return piece.at;
      }
      return null;
    },
  };
}
