import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, visit } from "yaml";
import { EditRefusal } from "./edit_refusal.ts";
import type { YamlItem, YamlList } from "./yaml_tree.ts";
import { anchorsOf } from "./yaml_value.ts";

/** Refuses to change what stands at an alias: all that its anchor names would change with it. */
export function refuseAlias(node: Node | null): void {
  if (!isAlias(node)) return;
  throw new EditRefusal(
    `expected a value of its own, found the alias ${
      aliasName(node)
    } (write out what it stands for first)`,
    startOf(node),
  );
}

/** Refuses to change a value, or a part of one, that aliases repeat. */
export function refuseRepeated(node: Node | null, document: Document): void {
  if (node === null || !("anchor" in node) || typeof node.anchor !== "string") return;
  const alias = [...anchorsOf(document)].find(([, source]) => source === node)?.[0];
  if (alias !== undefined) throw repeated(alias, node);
}

/** Refuses to take away or to replace a value with an anchor that aliases outside of it repeat. */
export function refuseNamedInside(value: Node | null, document: Document): void {
  if (value === null) return;
  const inside = new Set<unknown>();
  visit(value, { Node: (_key, node) => void inside.add(node) });
  const found = [...anchorsOf(document)]
    .find(([alias, source]) => inside.has(source) && !inside.has(alias));
  if (found !== undefined) throw repeated(...found);
}

function repeated(alias: Alias, source: Node): EditRefusal {
  return new EditRefusal(
    `expected a value that nothing else uses, found the anchor ${anchorName(alias)}, which ` +
      `${aliasName(alias)} repeats (write it out there first)`,
    startOf(source),
  );
}

/** Refuses to take a key out of a map in which a merge key would bring it back. */
export function refuseMerged(list: YamlList, key: string, document: Document): void {
  const anchors = anchorsOf(document);
  const merge = mergesOf(list).find(({ value }) => holds(value, key, anchors));
  if (merge === undefined) return;
  throw new EditRefusal(
    `expected a key that is gone when it is removed, found the merge key ${mergeName(merge)}, ` +
      `which brings it too (${TAKE_OUT})`,
    merge.start,
  );
}

/** What to do about an entry that a merge key brings. */
const TAKE_OUT = "write out what it stands for first, or change that";

/** Why an entry that is not written in a map cannot be changed there. */
export function missingEntry(list: YamlList | null): EditRefusal {
  const [merge] = list === null ? [] : mergesOf(list);
  return merge === undefined
    ? new EditRefusal("expected a key that is a plain text, found another kind of key", null)
    : new EditRefusal(
      "expected an entry of its own, found one that the merge key " +
        `${mergeName(merge)} brings (${TAKE_OUT})`,
      merge.start,
    );
}

function mergesOf({ isMap, items }: YamlList): readonly YamlItem[] {
  return isMap ? items.filter(({ key }) => key === "<<") : [];
}

/** Whether a merged value has a key. */
function holds(
  value: unknown,
  key: string,
  anchors: ReadonlyMap<Alias, Node>,
): boolean {
  if (isAlias(value)) return holds(anchors.get(value), key, anchors);
  if (isSeq(value)) return value.items.some((item) => holds(item, key, anchors));
  return isMap(value) &&
    value.items.some((pair) =>
      isScalar(pair.key) &&
      (pair.key.value === key || (pair.key.value === "<<" && holds(pair.value, key, anchors)))
    );
}

function mergeName({ value }: YamlItem): string {
  return isAlias(value) ? shown(`<<: *${value.source}`) : '"<<"';
}

function aliasName({ source }: Alias): string {
  return shown(`*${source}`);
}

function anchorName({ source }: Alias): string {
  return shown(`&${source}`);
}

/** A name in a message. It is cut, as a file may hold any. */
function shown(name: string): string {
  return JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name);
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}
