import fc from "fast-check";
import { isJsonObject, type JsonValue } from "../../src/model/json.ts";

/** Makes choices of which a seed decides all. */
export class Choices {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 to `below - 1`. */
  upTo(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }

  /** One of several. */
  of<T>(items: readonly [T, ...T[]]): T {
    return items[this.upTo(items.length)] ?? items[0];
  }

  /** `true` once in `times`. */
  once(times: number): boolean {
    return this.upTo(times) === 0;
  }
}

/** A key such as configs have, and some that must be quoted. */
export const anyKey: fc.Arbitrary<string> = fc.constantFrom(
  "a",
  "b",
  "command",
  "args",
  "env",
  "my-server",
  "with space",
  "dotted.key",
  "1",
  "true",
  "#x",
  'quo"te',
  "__proto__",
  "é😀",
  "- x",
  "C:\\dir",
);

/** A text such as configs have, and some that formats could take for something else. */
export const anyString: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "npx",
    "-y",
    "--flag=1",
    "@scope/server",
    "https://h.example/mcp?a=b#c",
    "C:\\Users\\me",
    "yes",
    "null",
    "~",
    "1.0",
    "0x1F",
    "12:30",
    "2026-01-01",
    "a: b",
    "a #b",
    "a, b",
    "*x",
    "&x",
    "!x",
    "%x",
    "{{x}}",
    "${{ secrets.X }}",
    "${HOME}",
    "two\nlines\n",
    "crlf\r\n",
    "\ttab",
    " padded ",
    "",
    "-",
    "?",
    "<<",
    ".inf",
    "it's",
    'a"b',
    "\u0000\u007f\u0085\u2028\ufeff",
    "😀",
    "x:",
    "---",
    "...",
  ),
  fc.string({ maxLength: 8 }),
);

/** A value without parts; `nulls` tells whether null is one. */
function anyScalar(nulls: boolean): fc.Arbitrary<JsonValue> {
  return fc.oneof(
    { weight: 4, arbitrary: anyString },
    { weight: 1, arbitrary: fc.boolean() },
    {
      weight: 2,
      arbitrary: fc.constantFrom(0, 1, -7, 300, 1.5, 1e-7, 1e21, 2 ** 53, -0.25),
    },
    ...(nulls ? [{ weight: 1, arbitrary: fc.constant(null) }] : []),
  );
}

/** Any value of the given depth. */
export function anyValue(depth: number, nulls: boolean): fc.Arbitrary<JsonValue> {
  if (depth === 0) return anyScalar(nulls);
  const inner = anyValue(depth - 1, nulls);
  return fc.oneof(
    { weight: 3, arbitrary: anyScalar(nulls) },
    { weight: 2, arbitrary: anyObject(depth, nulls) },
    { weight: 1, arbitrary: fc.array(inner, { maxLength: 3 }) },
  );
}

/** Any object of the given depth. */
export function anyObject(depth: number, nulls: boolean): fc.Arbitrary<JsonValue> {
  return fc.array(fc.tuple(anyKey, anyValue(depth - 1, nulls)), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries));
}

/** Paths of all values in a value, its own (empty) one first. */
export function pathsOf(value: JsonValue): readonly (readonly string[])[] {
  const entries = Array.isArray(value) || isJsonObject(value) ? Object.entries(value) : [];
  return [
    [],
    ...entries.flatMap(([key, item]) =>
      pathsOf((item ?? null) as JsonValue).map((path) => [key, ...path])
    ),
  ];
}

/** The value at a path that there is. */
export function valueIn(value: JsonValue, path: readonly string[]): JsonValue {
  let found: JsonValue = value;
  for (const key of path) {
    found = Object.getOwnPropertyDescriptor(found, key)?.value as JsonValue;
  }
  return found;
}
