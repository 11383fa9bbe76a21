import type { Definition } from "../model/definition.ts";
import { isJsonObject, type JsonValue } from "../model/json.ts";
import { readConfigDocument } from "./config_document.ts";
import type { SourceContext, SourceReading } from "./source.ts";

/** One line of a `tools` map: names of tools, in which `*` stands for any text, and a switch. */
type ToolRule = readonly [glob: string, isOn: boolean];

/**
 * A reading after the `tools` maps of its files, whose keys are `<server>_<tool>`: what a map
 * switches off is left out, unless a later line of the same map switches it on.
 */
export async function withToolSwitches(
  reading: SourceReading,
  context: SourceContext,
): Promise<SourceReading> {
  const maps = await Promise.all(
    reading.reports
      .filter(({ state, error }) => error === null && (state === "loaded" || state === "empty"))
      .map(({ path, scope }) => rulesOf(context, path, scope === "project")),
  );
  const used = maps.filter((rules) => rules.some(([, isOn]) => !isOn));
  if (used.length === 0) return reading;
  const definitions = reading.definitions.map((definition) => used.reduce(afterRules, definition));
  return { ...reading, definitions };
}

/** The lines of a file's map. */
async function rulesOf(
  context: SourceContext,
  path: string,
  project: boolean,
): Promise<readonly ToolRule[]> {
  const document = await readConfigDocument(context, { path, project });
  const tools = document.state === "loaded" ? document.root["tools"] : undefined;
  if (!isJsonObject(tools)) return [];
  return Object.entries(tools).flatMap(([glob, isOn]: [string, JsonValue | undefined]) =>
    typeof isOn === "boolean" ? [[glob, isOn] as const] : []
  );
}

function afterRules(definition: Definition, rules: readonly ToolRule[]): Definition {
  const { name, config } = definition;
  const prefix = `${name.replaceAll(/[^A-Za-z0-9_-]/g, "_")}_`;
  let off: readonly string[] = [];
  let on: readonly string[] = [];
  for (const [glob, isOn] of rules) {
    const tool = ownGlob(glob, prefix);
    if (tool === null) continue;
    off = off.filter((other) => other !== tool);
    on = on.filter((other) => other !== tool);
    if (tool === "*") [off, on] = [[], []];
    if (isOn) on = [...on, tool];
    else off = [...off, tool];
  }
  if (off.length === 0) return definition;
  // Everything but a few: an exception to a deny list can only be told as an allow list.
  const exceptions = off.includes("*") ? on : [];
  const rest = exceptions.length === 0 ? off : off.filter((tool) => tool !== "*");
  const disabledTools = [...new Set([...config.disabledTools ?? [], ...rest])];
  return {
    ...definition,
    config: {
      ...config,
      ...(exceptions.length === 0 ? {} : { enabledTools: config.enabledTools ?? exceptions }),
      ...(disabledTools.length === 0 ? {} : { disabledTools }),
    },
  };
}

/** What a glob means of one server's tools; `null` when it means none of them. */
function ownGlob(glob: string, prefix: string): string | null {
  if (glob.startsWith(prefix)) return glob.slice(prefix.length);
  // Such as "*" or "git*": all that begins so is meant.
  const star = glob.indexOf("*");
  return star === glob.length - 1 && prefix.startsWith(glob.slice(0, star)) ? "*" : null;
}
