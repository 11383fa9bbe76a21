/** Where one value stands, and the values in it. */
export interface PlaceNode {
  /** Offset of its key, or of the value itself in an array and at the root. */
  readonly offset: number;
  /** The values in it, by key or by position in decimal text. */
  readonly children: Map<string, PlaceNode>;
  /** What stands in the text, for a value that JSON has no form for (a date, an infinity). */
  readonly written?: string;
}

/** The node at a path; `undefined` when there is none. */
export function findNode(
  root: PlaceNode | undefined,
  path: readonly (string | number)[],
): PlaceNode | undefined {
  let node = root;
  for (const step of path) node = node?.children.get(String(step));
  return node;
}
