/** What one step of a template takes of a URI. */
type Step =
  /** Exactly this character. */
  | { readonly kind: "literal"; readonly char: string }
  /** Any number of characters but these. */
  | { readonly kind: "any"; readonly stop: string }
  /** Nothing, or all steps before the one with this number. */
  | { readonly kind: "maybe"; readonly end: number };

/** A template of URIs (RFC 6570) that tells which URIs it makes. */
export interface UriTemplate {
  /** Characters that stand in each of its URIs as they are: the more, the less it fits by chance. */
  readonly literals: number;
  /** Number of its expressions that take slashes, too. */
  readonly wide: number;
  /** Tells whether it can have made a URI. Takes time in proportion to the length of both. */
  fits(uri: string): boolean;
}

/**
 * What the values behind each operator of an expression cannot hold. Values of a plain `{name}` hold
 * no slash: so the SDKs read it, too.
 */
const STOPS: ReadonlyMap<string, string> = new Map([
  ["", "/"],
  ["+", ""],
  ["#", ""],
  [".", "/"],
  ["/", "?#"],
  [";", "/?#"],
  ["?", "#"],
  ["&", "#"],
]);

/** Operators whose expressions begin with themselves, unless no variable has a value. */
const OWN_START: ReadonlySet<string> = new Set(["#", ".", "/", ";", "?", "&"]);

/**
 * Reads a template; `null` when it is none: a brace has no partner. Names of variables do not
 * count, as it is only told apart whether a URI fits. Pure.
 */
export function uriTemplate(text: string): UriTemplate | null {
  const parts = text.split(/(\{[^{}]*\})/);
  const steps: Step[] = [];
  let literals = 0;
  let wide = 0;
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 0) {
      if (/[{}]/.test(part)) return null;
      for (const char of part) steps.push({ kind: "literal", char });
      literals += part.length;
      continue;
    }
    const operator = /^\{([+#./;?&])/.exec(part)?.[1] ?? "";
    const stop = STOPS.get(operator) ?? "/";
    if (!stop.includes("/")) wide++;
    if (OWN_START.has(operator)) {
      steps.push({ kind: "maybe", end: steps.length + 3 }, { kind: "literal", char: operator });
    }
    steps.push({ kind: "any", stop });
  }
  return { literals, wide, fits: (uri) => fits(steps, uri) };
}

/** Whether a template fits better than another one that fits as well. Pure. */
export function isMoreSpecific(one: UriTemplate, other: UriTemplate): boolean {
  return one.literals !== other.literals ? one.literals > other.literals : one.wide < other.wide;
}

/**
 * Goes through a URI with all steps that may be next at once: templates come from servers, and no
 * pattern of theirs may take longer than others.
 */
function fits(steps: readonly Step[], uri: string): boolean {
  let next = new Set<number>();
  reach(steps, 0, next);
  for (const char of uri) {
    const after = new Set<number>();
    for (const index of next) {
      const step = steps[index];
      if (step?.kind === "literal" && step.char === char) reach(steps, index + 1, after);
      if (step?.kind === "any" && !step.stop.includes(char)) reach(steps, index, after);
    }
    if (after.size === 0) return false;
    next = after;
  }
  return next.has(steps.length);
}

/** Adds a step to those that may be next, and those that may come in its place. */
function reach(steps: readonly Step[], index: number, next: Set<number>): void {
  for (const open = [index]; open.length > 0;) {
    const at = open.pop() ?? 0;
    if (next.has(at)) continue;
    next.add(at);
    const step = steps[at];
    if (step?.kind === "any") open.push(at + 1);
    if (step?.kind === "maybe") open.push(at + 1, step.end);
  }
}
