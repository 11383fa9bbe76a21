import assert from "node:assert/strict";
import {
  isMoreSpecific,
  type UriTemplate,
  uriTemplate,
} from "../../../src/gateway/offer/uri_template.ts";

function template(text: string): UriTemplate {
  const read = uriTemplate(text);
  assert.ok(read !== null, text);
  return read;
}

const FITS: readonly (readonly [string, string, boolean])[] = [
  ["note://one", "note://one", true],
  ["note://one", "note://one/", false],
  ["note://{id}", "note://7", true],
  ["note://{id}", "note://7/8", false],
  ["note://{id}/text", "note://7/text", true],
  ["note://{id}/text", "note://7/8/text", false],
  ["file:///{+path}", "file:///a/b/c.txt", true],
  ["file:///{+path}", "http:///a", false],
  ["a:{x}{y}", "a:12", true],
  ["a:{x,y}", "a:1,2", true],
  ["a:{list*}", "a:1,2,3", true],
  ["a:/{one}/{two}", "a:/1/2", true],
  ["a:/{one}/{two}", "a:/1", false],
  ["a:/x{/rest*}", "a:/x", true],
  ["a:/x{/rest*}", "a:/x/1/2", true],
  ["a:/x{/rest*}", "a:/xy", false],
  ["a:/x{.kind}", "a:/x.png", true],
  ["a:/x{.kind}", "a:/x", true],
  ["a:/x{;p,q}", "a:/x;p=1;q=2", true],
  ["db:rows{?limit,from}", "db:rows?limit=2&from=a/b", true],
  ["db:rows{?limit,from}", "db:rows", true],
  ["db:rows{?limit,from}", "db:rowslimit", false],
  ["db:rows?a=1{&b}", "db:rows?a=1&b=2", true],
  ["doc:x{#part}", "doc:x#a/b?c", true],
  ["doc:x{#part}", "doc:x", true],
  ["smile:{x}", "smile:😀", true],
  ["ünï:{x}/😀", "ünï:1/😀", true],
  ["{+all}", "anything:at/all?x#y", true],
];

for (const [text, uri, fits] of FITS) {
  Deno.test(`the template ${text} ${fits ? "fits" : "does not fit"} ${uri}`, () => {
    assert.equal(template(text).fits(uri), fits);
  });
}

Deno.test("what has a brace without its partner is no template", () => {
  for (const text of ["a:{x", "a:x}", "a:{x{y}}", "}{"]) {
    assert.equal(uriTemplate(text), null, text);
  }
});

Deno.test("the template with more fixed characters is the more specific one, then that of fewer slashes", () => {
  const [deep, shallow, wide] = [template("a:/x/{id}"), template("a:/{id}"), template("a:/{+id}")];
  assert.ok(isMoreSpecific(deep, shallow));
  assert.ok(!isMoreSpecific(shallow, deep));
  assert.ok(isMoreSpecific(shallow, wide));
  assert.ok(!isMoreSpecific(wide, shallow));
  assert.ok(!isMoreSpecific(wide, wide));
});

Deno.test("a template with many expressions is soon told not to fit, and one with very many is none", () => {
  const hostile = template(`a:${"{+x}".repeat(32)}!`);
  // By going back it would not end as long as anybody lives.
  assert.equal(hostile.fits(`a:${"a".repeat(8_000)}`), false);
  assert.equal(hostile.fits(`a:${"a".repeat(8_000)}!`), true);
  assert.equal(template("{+all}").fits(`a:${"a".repeat(9_000)}`), false, "it is too long");
  assert.equal(uriTemplate(`a:${"{?x}".repeat(33)}`), null);
});
