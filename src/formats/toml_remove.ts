import { endBefore, lineEnd, lineStart, pastEnd } from "./text_lines.ts";
import { cut, sortPatches, type TextPatch } from "./text_patch.ts";
import { printKeys } from "./toml_print.ts";
import { isWithin, type TomlBlock, type TomlEntry, type TomlPath } from "./toml_tree.ts";

/**
 * Removes a value with its lines: a key, or a table with all its headers wherever they stand.
 * Comments above and below stay. A parent that nothing else names is left as an empty table.
 */
export function removeTomlEntry(
  text: string,
  blocks: readonly TomlBlock[],
  path: readonly string[],
): readonly TextPatch[] {
  const gone = blocks.filter((block) => block.header !== null && isWithin(block.path, path));
  const entries = blocks.filter((block) => !gone.includes(block))
    .flatMap((block) => block.entries)
    .filter((entry) => isWithin(entry.path, path));
  const cuts = runs(blocks, gone).map(([first, last]) => cutBlocks(text, first, last));
  const lines = entries.map((entry) => cutEntry(text, blocks, entry));
  const parent = path.slice(0, -1);
  if (parent.length === 0 || isStillNamed(blocks, gone, entries, parent)) {
    return sortPatches([...cuts, ...lines]);
  }
  const kept = keepParent(text, blocks, gone, entries, parent.length);
  const others = entries.length > 0 ? [...cuts, ...lines.slice(1)] : cuts.slice(1);
  return sortPatches([kept, ...others]);
}

/** Blocks that stand one after the other, as first and last of each run. */
function runs(
  blocks: readonly TomlBlock[],
  gone: readonly TomlBlock[],
): readonly (readonly [TomlBlock, TomlBlock])[] {
  const found: [TomlBlock, TomlBlock][] = [];
  for (const block of gone) {
    const last = found.at(-1);
    if (last !== undefined && blocks.indexOf(last[1]) === blocks.indexOf(block) - 1) {
      last[1] = block;
    } else found.push([block, block]);
  }
  return found;
}

/** Cuts headers with their entries, and the blank line before them. */
function cutBlocks(text: string, first: TomlBlock, last: TomlBlock): TextPatch {
  if (first.start === 0) {
    const end = pastEnd(text, last.end);
    const isApart = isBlank(text, end) && text.slice(end).trim() !== "";
    return cut(0, isApart ? pastEnd(text, lineEnd(text, end)) : end);
  }
  const start = endBefore(text, first.start);
  const above = lineStart(text, start);
  const isApart = above > 0 && isBlank(text, above);
  return cut(isApart ? endBefore(text, above) : start, last.end);
}

/** Cuts the lines of an entry. */
function cutEntry(
  text: string,
  blocks: readonly TomlBlock[],
  { node, block }: TomlEntry,
): TextPatch {
  const start = lineStart(text, node.range[0]);
  const end = lineEnd(text, node.range[1]);
  const isAlone = block.header === null && block.entries.length === 1 && blocks.length > 1;
  if (start > 0 && !isAlone) return cut(endBefore(text, start), end);
  const next = pastEnd(text, end);
  const isApart = start === 0 || isBlank(text, lineStart(text, endBefore(text, start)));
  const gap = isAlone && isApart && isBlank(text, next) ? pastEnd(text, lineEnd(text, next)) : next;
  return cut(start, gap);
}

/** Whether a table is there for another reason than what goes. */
function isStillNamed(
  blocks: readonly TomlBlock[],
  gone: readonly TomlBlock[],
  entries: readonly TomlEntry[],
  parent: readonly string[],
): boolean {
  return blocks.some((block) =>
    !gone.includes(block) &&
    ((block.header !== null && isWithin(block.path, parent)) ||
      block.entries.some((entry) => !entries.includes(entry) && isWithin(entry.path, parent)))
  );
}

/** Writes an empty table in the place of the first thing that goes. */
function keepParent(
  text: string,
  blocks: readonly TomlBlock[],
  gone: readonly TomlBlock[],
  entries: readonly TomlEntry[],
  depth: number,
): TextPatch {
  const entry = entries[0];
  if (entry !== undefined) {
    const { node, block } = entry;
    const last = node.key.keys[depth - block.path.length - 1];
    const name = text.slice(node.key.range[0], last?.range[1] ?? node.key.range[0]);
    return {
      offset: node.range[0],
      length: node.range[1] - node.range[0],
      text: `${name} = {}`,
    };
  }
  const [first, last] = runs(blocks, gone)[0] ?? [];
  if (first === undefined || last === undefined) throw new TypeError("Nothing is removed");
  const header = `[${printKeys(namesIn(first.path.slice(0, depth)))}]`;
  const start = first.header?.range[0] ?? first.start;
  return { offset: start, length: last.end - start, text: header };
}

/** The keys of a path that a header writes. */
function namesIn(path: TomlPath): readonly string[] {
  return path.filter((step) => typeof step === "string");
}

function isBlank(text: string, start: number): boolean {
  return start < text.length && text.slice(start, lineEnd(text, start)).trim() === "";
}
