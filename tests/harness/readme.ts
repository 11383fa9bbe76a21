import { fromRepository } from "./repository.ts";

/** The code that the README shows in one language, in its order. */
export async function readmeFences(language: string): Promise<readonly string[]> {
  const text = await Deno.readTextFile(fromRepository("README.md"));
  const fences = text.matchAll(/^```(\S+)\n([^]*?)^```$/gm);
  return [...fences].filter(([, name]) => name === language).map(([, , code = ""]) => code);
}
