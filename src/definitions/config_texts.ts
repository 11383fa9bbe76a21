import type { ServerConfig } from "../model/definition.ts";

/** One text of a definition in which placeholders may stand. */
export interface ConfigText {
  /** Name of the field for messages, such as `env.TOKEN` or `args[2]`. */
  readonly field: string;
  /** Which map it belongs to; `null` for all other fields. */
  readonly map: "env" | "headers" | null;
  /** Its key in that map, else the field's name. */
  readonly key: string;
  /** The text as written. */
  readonly text: string;
}

/** Every text of a definition in which placeholders may stand, in a fixed order. */
export function configTexts(config: ServerConfig): readonly ConfigText[] {
  const texts: ConfigText[] = [];
  const plain = (key: string, text: string | undefined): void => {
    if (text !== undefined) texts.push({ field: key, map: null, key, text });
  };
  plain("command", config.command);
  config.args?.forEach((text, index) => plain(`args[${index}]`, text));
  plain("cwd", config.cwd);
  plain("url", config.url);
  plain("envFile", config.envFile);
  for (const map of ["env", "headers"] as const) {
    for (const [key, text] of Object.entries(config[map] ?? {})) {
      if (text !== null) texts.push({ field: `${map}.${key}`, map, key, text });
    }
  }
  return texts;
}
