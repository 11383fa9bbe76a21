import { isJsonObject, type JsonValue } from "../model/json.ts";

/**
 * Whether an extension is switched on for a folder. Its rules are paths, in which `*` stands for
 * any text and a last `*` for the folders below too; one with a leading `!` switches off. The last
 * one that fits counts, and without any it is on.
 *
 * @param rules What `extension-enablement.json` holds under the extension's name.
 * @param folder Absolute path of the folder.
 */
export function isEnabledIn(rules: JsonValue | undefined, folder: string): boolean {
  const overrides = isJsonObject(rules) ? rules["overrides"] : undefined;
  if (!Array.isArray(overrides)) return true;
  const path = slashed(folder);
  const last = (overrides as readonly JsonValue[]).findLast((rule) =>
    typeof rule === "string" && fits(rule.replace(/^!/, ""), path)
  );
  return !(typeof last === "string" && last.startsWith("!"));
}

/** A folder's path as the rules write it: with slashes, one at each end. */
function slashed(folder: string): string {
  const path = folder.replaceAll("\\", "/");
  return `${path.startsWith("/") ? "" : "/"}${path}${path.endsWith("/") ? "" : "/"}`;
}

/** Whether a rule fits a path: the pieces between its stars are looked for from left to right. */
function fits(rule: string, path: string): boolean {
  const [first = "", ...rest] = rule.split("*");
  if (rest.length === 0) return rule === path;
  const last = rest.pop() ?? "";
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return path.endsWith(last) && path.length - last.length >= at;
}
