/** Most expressions of a template; none that means one kind of resource has nearly as many. */
const MOST_EXPRESSIONS = 32;

/** Longest URI, in characters, that is held against templates. */
const LONGEST_MADE = 8_192;

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
  /**
   * Tells whether it can have made a URI of at most 8,192 characters. Takes time in proportion to the
   * length of the URI and the number of its expressions.
   */
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
 * Reads a template; `null` when it is none: a brace has no partner, or it has more than 32
 * expressions. Names of variables do not count, as it is only told apart whether a URI fits. Pure.
 */
export function uriTemplate(text: string): UriTemplate | null {
  const parts = text.split(/(\{[^{}]*\})/);
  // Each expression is one more way to read every character of a URI.
  if (parts.length > 2 * MOST_EXPRESSIONS + 1) return null;
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
  return { literals, wide, fits: (uri) => uri.length <= LONGEST_MADE && fits(steps, uri) };
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
  let next = new StepSet(steps);
  let after = new StepSet(steps);
  next.reach(0);
  for (const char of uri) {
    after.clear();
    for (const index of next.members) {
      const step = steps[index];
      if (step?.kind === "literal" && step.char === char) after.reach(index + 1);
      if (step?.kind === "any" && !step.stop.includes(char)) after.reach(index);
    }
    if (after.members.length === 0) return false;
    [next, after] = [after, next];
  }
  return next.has(steps.length);
}

/** Steps that may be next, with those that may come in their place; the number after the last is the end. */
class StepSet {
  /** Their numbers, each once. */
  readonly members: number[] = [];
  readonly #steps: readonly Step[];
  readonly #isMember: Uint8Array;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.#isMember = new Uint8Array(steps.length + 1);
  }

  has(index: number): boolean {
    return this.#isMember[index] === 1;
  }

  clear(): void {
    for (const index of this.members) this.#isMember[index] = 0;
    this.members.length = 0;
  }

  reach(index: number): void {
    if (this.has(index)) return;
    this.#isMember[index] = 1;
    this.members.push(index);
    const step = this.#steps[index];
    if (step?.kind === "literal") return;
    if (step !== undefined) this.reach(index + 1);
    if (step?.kind === "maybe") this.reach(step.end);
  }
}
