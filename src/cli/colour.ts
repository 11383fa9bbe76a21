/** The few styles that the output uses, as SGR parameters. */
const STYLES = {
  bold: ["1", "22"],
  dim: ["2", "22"],
  red: ["31", "39"],
  green: ["32", "39"],
  yellow: ["33", "39"],
  cyan: ["36", "39"],
} as const;

/** Name of a style. */
export type Style = keyof typeof STYLES;

/** Gives a text its style, or leaves it as it is when colour is off. */
export type Paint = (style: Style, text: string) => string;

/** A painter for one stream. */
export function painter(enabled: boolean): Paint {
  if (!enabled) return (_style, text): string => text;
  return (style, text): string => {
    const [on, off] = STYLES[style];
    return text === "" ? "" : `\x1b[${on}m${text}\x1b[${off}m`;
  };
}

/**
 * Decides whether a stream gets colour: a non-empty `NO_COLOR` or `TERM=dumb` turns it off,
 * a non-empty `FORCE_COLOR` other than `0` turns it on, else a terminal has it.
 */
export function wantsColour(
  terminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"] ?? "";
  if (forced !== "") return forced !== "0";
  return terminal && env["TERM"] !== "dumb";
}
