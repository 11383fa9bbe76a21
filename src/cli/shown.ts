import { printable } from "../tools/visible_text.ts";

/** A text of any origin as one line for the terminal: escaped, line ends and tabs as spaces. */
export function shownLine(text: string): string {
  return printable(text.replace(/\s*[\r\n]+\s*/g, " ").replace(/\t/g, " ")).trim();
}

/** A text of any origin as lines for the terminal: escaped, line ends kept. */
export function shownLines(text: string): readonly string[] {
  return printable(text, { multiline: true }).split("\n");
}

/** A path as a human writes it: relative within the workspace, `~` for the home folder. */
export function shownPath(path: string, workspacePath: string, home: string): string {
  const inWorkspace = below(path, workspacePath);
  if (inWorkspace !== null) return shownLine(inWorkspace);
  const atHome = below(path, home);
  return shownLine(atHome === null ? path : `~/${atHome}`);
}

/** The part of a path below a folder, or `null` when it does not lie there. */
function below(path: string, folder: string): string | null {
  const root = folder.replace(/[/\\]+$/, "");
  if (root === "" || !path.startsWith(root)) return null;
  const rest = path.slice(root.length);
  return /^[/\\]./.test(rest) ? rest.slice(1) : null;
}
