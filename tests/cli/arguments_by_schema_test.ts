import assert from "node:assert/strict";
import { parameterLine, readArguments, typedArguments } from "../../src/cli/arguments_by_schema.ts";
import { HotplugError } from "../../src/model/errors.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { tool } from "./views.ts";

const noInput = (): Promise<string> => Promise.reject(new Error("stdin was read"));

/** Arguments from words, by a schema's properties. */
async function typed(words: readonly string[], schema: JsonObject): Promise<JsonObject> {
  return typedArguments(await readArguments(words, noInput), tool("t", schema));
}

const schema: JsonObject = {
  type: "object",
  properties: {
    text: { type: "string" },
    count: { type: "integer" },
    ratio: { type: "number" },
    on: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    numbers: { type: "array", items: { type: "number" } },
    place: { type: "object" },
    maybe: { type: ["integer", "null"] },
    either: { anyOf: [{ type: "boolean" }, { type: "string" }] },
    refers: { $ref: "#/$defs/Count" },
    colour: { enum: ["red", "green"] },
    anything: {},
  },
  $defs: { Count: { type: "integer" } },
};

Deno.test("key=value words get the types of the tool's schema", async () => {
  const words = [
    "text=12",
    "count=3",
    "ratio=-1.5e2",
    "on=true",
    'place={"x": 1}',
    "maybe=null",
    "either=false",
    "refers=7",
    "colour=red",
    "anything=[1]",
  ];
  assert.deepEqual(await typed(words, schema), {
    text: "12",
    count: 3,
    ratio: -150,
    on: true,
    place: { x: 1 },
    maybe: null,
    either: false,
    refers: 7,
    colour: "red",
    anything: [1],
  });
  assert.deepEqual(await typed(["either=maybe", "anything=plain", "text=a=b"], schema), {
    either: "maybe",
    anything: "plain",
    text: "a=b",
  });
});

Deno.test("an array is one JSON array, or one word an item", async () => {
  assert.deepEqual(await typed(['tags=["a","b"]'], schema), { tags: ["a", "b"] });
  assert.deepEqual(await typed(["tags=a", "tags=b c", "numbers=4"], schema), {
    tags: ["a", "b c"],
    numbers: [4],
  });
});

Deno.test("values that do not fit are refused with the tool's parameters", async () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [["count=1.5"], /Cannot use "1.5" for "count": it is no integer/],
    [["count="], /it is no integer/],
    [["count=9007199254740993"], /it is no integer/],
    [["on=yes"], /it is no boolean/],
    [["numbers=x"], /it is no array/],
    [["tags=[1,"], /it is no array/],
    [["place=[1]"], /it is no object/],
    [["text=a", "text=b"], /"text": it is given twice/],
    [["tags=a", 'tags=["b"]'], /"tags": it is given twice/],
  ];
  for (const [words, message] of cases) {
    await assert.rejects(typed(words, schema), (error) => {
      assert.ok(error instanceof HotplugError, String(error));
      assert.equal(error.code, "bad-arguments");
      assert.equal(error.exitCode, 2);
      assert.match(error.message, message);
      assert.match(error.hint ?? "", /Parameters: \[text string\], \[count integer\]/);
      return true;
    });
  }
});

Deno.test("an unknown key is refused with a suggestion", async () => {
  await assert.rejects(typed(["cuont=1"], schema), (error) => {
    assert.ok(error instanceof HotplugError);
    assert.match(error.hint ?? "", /^Did you mean "count"\?/);
    assert.equal(error.details["suggestion"], "count");
    return true;
  });
});

Deno.test("a tool that allows more keys gets them as JSON or text", async () => {
  const open: JsonObject = { type: "object", additionalProperties: true, properties: { a: {} } };
  assert.deepEqual(await typed(["b=1", "c=x y", "d=null"], open), { b: 1, c: "x y", d: null });
  assert.deepEqual(await typed(["b=1"], { type: "object" }), { b: 1 });
});

Deno.test("a required parameter that is missing is named", async () => {
  const needs: JsonObject = {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  };
  await assert.rejects(typed(["b=2"], needs), /Cannot call tool "t": it needs "a"/);
  assert.equal(parameterLine(tool("t", needs)), "Parameters: a number, b number");
  assert.equal(parameterLine(tool("t")), "It takes no parameters");
});

Deno.test("prototype names are keys like any other", async () => {
  const args = await typed(["__proto__=1", "constructor=2"], { type: "object" });
  assert.deepEqual(Object.keys(args), ["__proto__", "constructor"]);
  assert.equal(Object.getPrototypeOf(args), Object.prototype);
});

Deno.test("one JSON object, or stdin, is taken as it is", async () => {
  assert.deepEqual(await readArguments(['{"a": [1]}'], noInput), {
    form: "object",
    value: { a: [1] },
  });
  assert.deepEqual(await readArguments(["-"], () => Promise.resolve(' {"a":1}\n')), {
    form: "object",
    value: { a: 1 },
  });
  assert.deepEqual(await readArguments([], noInput), { form: "pairs", pairs: [] });
});

Deno.test("what is neither is refused with the forms that are known", async () => {
  await assert.rejects(readArguments(["hello"], noInput), {
    code: "bad-arguments",
    message: 'Cannot read argument "hello": it has no key',
  });
  await assert.rejects(readArguments(["=x"], noInput), /it has no key/);
  await assert.rejects(readArguments(["{bad"], noInput), /Cannot read the arguments: no JSON/);
  await assert.rejects(
    readArguments(["-"], () => Promise.resolve("[1]")),
    /Cannot read stdin: a JSON object is needed/,
  );
});

Deno.test("a schema that refers to itself ends", async () => {
  const loop: JsonObject = {
    type: "object",
    properties: { a: { $ref: "#/properties/a" }, b: { anyOf: [{ $ref: "#/properties/b" }] } },
  };
  assert.deepEqual(await typed(["a=1", "b=x"], loop), { a: 1, b: "x" });
});
