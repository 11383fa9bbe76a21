// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- JSDoc has them

/**
 * What differs between two tool sets: names, each in one list at most.
 *
 * @typedef {object} Diff
 * @property {readonly string[]} added
 * @property {readonly string[]} removed
 * @property {readonly string[]} changed
 */

/**
 * A tool as it was listed.
 *
 * @typedef {object} ListedTool
 * @property {string} name
 * @property {string} description
 * @property {Record<string, unknown>} parameters JSON Schema of its arguments.
 * @property {string | null} server The MCP server that it belongs to.
 */

/**
 * What MCP lists, without what has no name or a name that is taken.
 *
 * @param {readonly Record<string, any>[]} listed
 * @returns {readonly ListedTool[]}
 */
export function readTools(listed) {
  /** @type {Map<string, ListedTool>} */
  const tools = new Map();
  for (const tool of listed) {
    const name = tool?.["name"];
    if (typeof name !== "string" || tools.has(name)) continue;
    tools.set(name, {
      name,
      description: String(tool["description"] ?? ""),
      parameters: tool["inputSchema"] ?? { type: "object" },
      server: tool["_meta"]?.["dev.hotplug/server"] ?? null,
    });
  }
  return [...tools.values()];
}

/**
 * How a list differs from the one before; `null` when not even the order does.
 *
 * @param {readonly ListedTool[]} before
 * @param {readonly ListedTool[]} after
 * @returns {Diff | null}
 */
export function compare(before, after) {
  const old = new Map(before.map((tool) => [tool.name, JSON.stringify(tool)]));
  const now = new Map(after.map((tool) => [tool.name, JSON.stringify(tool)]));
  if (JSON.stringify([...old]) === JSON.stringify([...now])) return null;
  const names = [...now.keys()];
  return {
    added: names.filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: names.filter((name) => old.has(name) && old.get(name) !== now.get(name)),
  };
}
