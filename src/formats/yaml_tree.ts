import { type CST, type Document, isMap, isScalar, isSeq, type Node } from "yaml";
import { refuseAlias, refuseRepeated } from "./yaml_shared.ts";

/** One entry of a map or list. */
export interface YamlItem {
  /** `null` in a list, and for a key that is no scalar. */
  readonly key: string | null;
  /** Offset of the key, or of the dash, or of the value in a list in brackets. */
  readonly start: number;
  /**
   * Offset after the colon or dash and the anchor and tag after it; `null` when there is no colon
   * or dash.
   */
  readonly head: number | null;
  readonly value: Node | null;
  /** Offset after the last character of the value. */
  readonly end: number;
}

/** A map or list. */
export interface YamlList {
  readonly node: Node;
  readonly isMap: boolean;
  /** `true`: written in brackets. */
  readonly isFlow: boolean;
  readonly items: readonly YamlItem[];
  /** Offset of its first character. */
  readonly start: number;
  /** Offset after its last character. */
  readonly end: number;
}

/** A value and what it stands in. */
export interface YamlSpot {
  readonly value: Node | null;
  readonly item: YamlItem | null;
  readonly list: YamlList | null;
}

/** The values on the way to a path, the root first; shorter when the path ends in nothing. */
export function spotsTo(
  document: Document,
  text: string,
  path: readonly string[],
): readonly YamlSpot[] {
  let spot: YamlSpot = { value: document.contents as Node | null, item: null, list: null };
  const spots = [spot];
  for (const key of path) {
    refuseRepeated(spot.value, document);
    refuseAlias(spot.value);
    const list = spot.value === null ? null : listOf(spot.value, text);
    const item = list?.items.findLast((one, index) =>
      list.isMap ? one.key === key : String(index) === key
    );
    if (list === null || item === undefined) return spots;
    spot = { value: item.value, item, list };
    spots.push(spot);
  }
  refuseRepeated(spot.value, document);
  return spots;
}

/** Offset at which a node begins. */
export function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** The entries of a map or list; `null` for another value. */
export function listOf(node: Node, text: string): YamlList | null {
  if (!isMap(node) && !isSeq(node)) return null;
  const isFlow = node.flow === true;
  const items = isMap(node) ? mapItems(node.items, text) : listItems(node, text, isFlow);
  const start = isFlow ? startOf(node) : items[0]?.start ?? startOf(node);
  const end = isFlow ? node.range?.[1] ?? start : items.at(-1)?.end ?? start;
  return { node, isMap: isMap(node), isFlow, items, start, end };
}

type Pairs = readonly {
  readonly key: unknown;
  readonly value: unknown;
  readonly srcToken?: object;
}[];

function mapItems(pairs: Pairs, text: string): readonly YamlItem[] {
  return pairs.map((pair): YamlItem => {
    const token = pair.srcToken as CST.CollectionItem | undefined;
    const key = pair.key as Node | null;
    const value = pair.value as Node | null;
    const before = (token?.start ?? []).filter(isWritten);
    const between = (token?.sep ?? []).filter(isWritten);
    const start = before[0]?.offset ?? token?.key?.offset ?? between[0]?.offset ?? 0;
    const colon = between.at(-1);
    const head = colon === undefined ? null : colon.offset + colon.source.length;
    const keyEnd = key === null ? start : endOf(key, text);
    return {
      key: isScalar(key) ? (typeof key.value === "string" ? key.value : key.source ?? "") : null,
      start,
      head,
      value,
      end: value === null || isEmpty(value) ? head ?? keyEnd : endOf(value, text),
    };
  });
}

function listItems(node: Node & { items: unknown[] }, text: string, isFlow: boolean): YamlItem[] {
  const source = (node as { readonly srcToken?: CST.BlockSequence | CST.FlowCollection }).srcToken;
  const tokens: readonly CST.CollectionItem[] = (source?.items ?? []).filter((item) =>
    isFlow
      ? item.value !== undefined || (item.key ?? null) !== null || item.sep !== undefined ||
        item.start.some((token) => token.type === "anchor" || token.type === "tag")
      : item.start.some(({ type }) => type === "seq-item-ind")
  );
  return node.items.map((item, index): YamlItem => {
    const value = item as Node | null;
    const before = (tokens[index]?.start ?? []).filter(isWritten);
    const first = before[0]?.offset;
    const last = before.at(-1);
    const head = isFlow || last === undefined ? null : last.offset + last.source.length;
    const start = first ?? (value === null ? 0 : startOf(value));
    return {
      key: null,
      start,
      head,
      value,
      end: value === null || isEmpty(value) ? head ?? start : endOf(value, text),
    };
  });
}

/** Whether a token is more than white space, a comment or a comma. */
function isWritten({ type }: CST.SourceToken): boolean {
  return type !== "space" && type !== "newline" && type !== "comment" && type !== "comma";
}

/** Whether nothing is written for a value. */
export function isEmpty(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.range?.[0] === node.range?.[1]);
}

/** Offset after the last character of a value. */
export function endOf(node: Node, text: string): number {
  const [start, end] = node.range ?? [0, 0];
  const list = listOf(node, text);
  if (list !== null) return list.end;
  return isBlockText(node) ? start + text.slice(start, end).trimEnd().length : end;
}

/** Whether a value is a text after `|` or `>`. */
export function isBlockText(node: Node | null): boolean {
  return isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");
}
