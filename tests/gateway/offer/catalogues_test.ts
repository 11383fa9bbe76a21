import assert from "node:assert/strict";
import type { GatewayList, GatewaySession } from "../../../src/gateway/gateway_session.ts";
import { withRenamedLinks } from "../../../src/gateway/offer/links.ts";
import { ListSource } from "../../../src/gateway/offer/list_source.ts";
import { PromptCatalogue } from "../../../src/gateway/offer/prompt_catalogue.ts";
import { ResourceCatalogue } from "../../../src/gateway/offer/resource_catalogue.ts";
import { uriPrefix } from "../../../src/gateway/offer/uri_prefix.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { itemsOf, type MadeLists, sessionWith } from "../made.ts";

const everything = (): boolean => true;

/** A session whose servers can be exchanged. */
function changing(first: readonly (readonly [string, MadeLists])[]): {
  session: GatewaySession;
  become: (next: readonly (readonly [string, MadeLists])[]) => Promise<void>;
} {
  let session = sessionWith(first);
  return {
    session: {
      ...session,
      servers: () => session.servers(),
      listed: (server, kind) => session.listed(server, kind),
    },
    become: async (next) => {
      session = sessionWith(next);
      // What was looked at in a turn holds for that turn.
      await Promise.resolve();
    },
  };
}

function resourcesOf(session: GatewaySession): ResourceCatalogue {
  const source = (kind: GatewayList): ListSource => new ListSource(session, kind, everything);
  return new ResourceCatalogue(source("resources"), source("resourceTemplates"));
}

function uris(items: readonly JsonObject[]): readonly unknown[] {
  return items.map(({ uri, uriTemplate }) => uri ?? uriTemplate);
}

Deno.test("a URI that two servers list is the earlier one's, and the later one's has its name before it", () => {
  const resources = resourcesOf(sessionWith([
    ["one", { resources: itemsOf("resources", "x:1", "x:2") }],
    ["two", { resources: itemsOf("resources", "x:2", "x:3") }],
    ["my_three", { resources: itemsOf("resources", "x:2") }],
  ]));
  assert.deepEqual(uris(resources.list().items), [
    "x:1",
    "x:2",
    "mcp+two:x:2",
    "x:3",
    "mcp+my.5fthree:x:2",
  ]);
  assert.deepEqual(resources.find("x:2"), { server: "one", uri: "x:2" });
  assert.deepEqual(resources.find("mcp+two:x:2"), { server: "two", uri: "x:2" });
  assert.deepEqual(resources.find("mcp+my.5fthree:x:2"), { server: "my_three", uri: "x:2" });
  assert.equal(resources.find("x:4"), null);
  assert.equal(resources.list().items[2]?.["name"], "x:2");
});

Deno.test("the prefix of a server makes a URI of it, whatever its name, and no two have the same", () => {
  const names = [
    "git",
    "my_server",
    "my.5fserver",
    "my server",
    "ä",
    "名前",
    "a:b",
    "a%3Ab",
    "\ud800",
    "ÿ",
  ];
  const prefixes = names.map(uriPrefix);
  assert.equal(new Set(prefixes).size, names.length);
  for (const prefix of prefixes) {
    assert.match(prefix, /^mcp\+[A-Za-z0-9.-]+:$/);
    assert.ok(URL.canParse(`${prefix}file:///x`), prefix);
  }
});

Deno.test("a URI with a prefix comes back also when a host has written it in small letters", () => {
  const resources = resourcesOf(sessionWith([
    ["a", { resources: itemsOf("resources", "x:Y") }],
    ["GitHub", { resources: itemsOf("resources", "x:Y") }],
  ]));
  assert.deepEqual(uris(resources.list().items), ["x:Y", "mcp+GitHub:x:Y"]);
  assert.deepEqual(resources.find("mcp+github:x:Y"), { server: "GitHub", uri: "x:Y" });
});

Deno.test("a URI that a host writes in its own way is found, and goes on as the host has written it", () => {
  const resources = resourcesOf(sessionWith([
    ["web", { resources: itemsOf("resources", "HTTP://Example.com") }],
    ["other", { resources: itemsOf("resources", "y:1") }],
  ]));
  assert.deepEqual(resources.find("http://example.com/"), {
    server: "web",
    uri: "http://example.com/",
  });
});

Deno.test("a template that two servers have is told apart like a URI, and so is what it makes", () => {
  const resources = resourcesOf(sessionWith([
    ["one", { resourceTemplates: itemsOf("resourceTemplates", "f:{+path}", "f:special/{id}") }],
    ["two", { resourceTemplates: itemsOf("resourceTemplates", "f:{+path}", "f:{dir}/readme") }],
  ]));
  assert.deepEqual(uris(resources.templates().items), [
    "f:{+path}",
    "f:special/{id}",
    "mcp+two:f:{+path}",
    "f:{dir}/readme",
  ]);
  assert.deepEqual(resources.find("f:a/b"), { server: "one", uri: "f:a/b" });
  assert.deepEqual(resources.find("mcp+two:f:a/b"), { server: "two", uri: "f:a/b" });
  assert.deepEqual(resources.find("f:a/readme"), { server: "two", uri: "f:a/readme" });
  assert.deepEqual(resources.find("f:special/readme"), { server: "one", uri: "f:special/readme" });
  assert.deepEqual(resources.findTemplate("mcp+two:f:{+path}"), {
    server: "two",
    uri: "f:{+path}",
  });
  assert.equal(resources.findTemplate("f:{path}"), null);
});

Deno.test("what is listed goes before what a template makes, and a link is read from who gave it", () => {
  const resources = resourcesOf(sessionWith([
    ["files", { resourceTemplates: itemsOf("resourceTemplates", "f:{+path}") }],
    ["notes", { resources: itemsOf("resources", "f:note") }],
  ]));
  assert.deepEqual(resources.find("f:note"), { server: "notes", uri: "f:note" });
  // It would be read from "files" as it stands.
  assert.equal(resources.nameFor("notes", "f:else"), "mcp+notes:f:else");
  assert.deepEqual(resources.find("mcp+notes:f:else"), { server: "notes", uri: "f:else" });
  assert.deepEqual(resources.find("f:else"), { server: "files", uri: "f:else" });
  assert.equal(resources.nameFor("files", "f:note"), "mcp+files:f:note");
  assert.equal(resources.nameFor("notes", "f:note"), "f:note");
  assert.equal(resources.nameFor("notes", "g:1"), "g:1");
  assert.deepEqual(resources.find("g:1"), { server: "notes", uri: "g:1" });
  assert.equal(resources.nameFor("files", "g:1"), "mcp+files:g:1");
  assert.equal(resources.nameFor("notes", "g:1"), "g:1");
});

Deno.test("a server that lists what looks like another's name is not read in its place", () => {
  const resources = resourcesOf(sessionWith([
    ["evil", { resources: itemsOf("resources", "x:1", "mcp+good:x:1") }],
    ["good", { resources: itemsOf("resources", "mcp+good:y:1") }],
  ]));
  const link = resources.nameFor("good", "x:1");
  assert.equal(link, "mcp+good:mcp+good:x:1");
  assert.deepEqual(resources.find(link), { server: "good", uri: "x:1" });
  assert.equal(resources.nameFor("good", "x:1"), link, "the same each time");
  assert.deepEqual(resources.find("mcp+good:x:1"), { server: "evil", uri: "mcp+good:x:1" });
  // Nor does it get a name that another server was given in a result.
  assert.equal(resources.nameFor("evil", link), `mcp+evil:${link}`);
  // A URI that begins like a prefix that was given out is not taken for one.
  const own = resources.nameFor("good", "mcp+good:z:1");
  assert.deepEqual(resources.find(own), { server: "good", uri: "mcp+good:z:1" });
});

Deno.test("the links that were used longest ago are forgotten first, and those with a prefix come back", () => {
  const resources = resourcesOf(sessionWith([["a", {}], ["b", {}]]));
  resources.nameFor("a", "kept:1");
  resources.nameFor("a", "lost:1");
  const prefixed = resources.nameFor("b", "kept:1");
  for (let number = 0; number < 9_999; number++) {
    resources.nameFor("a", `n:${number}`);
    if (number === 5_000) assert.ok(resources.find("kept:1") !== null);
  }
  assert.deepEqual(resources.find("kept:1"), { server: "a", uri: "kept:1" });
  assert.equal(resources.find("lost:1"), null);
  assert.deepEqual(resources.find(prefixed), { server: "b", uri: "kept:1" });
});

Deno.test("a resource that is listed no longer can be read by who knows it, and counts as a change", async () => {
  const { session, become } = changing([["a", { resources: itemsOf("resources", "x:1", "x:2") }]]);
  const resources = resourcesOf(session);
  const { version } = resources.list();
  await become([["a", { resources: itemsOf("resources", "x:1") }]]);
  assert.deepEqual(uris(resources.list().items), ["x:1"]);
  assert.equal(resources.list().version, version + 1);
  assert.deepEqual(resources.find("x:2"), { server: "a", uri: "x:2" });
  await become([["a", { resources: itemsOf("resources", "x:1") }]]);
  assert.equal(resources.list().version, version + 1, "the same list");
});

Deno.test("prompts are named like tools, and a name once given keeps its meaning", async () => {
  const { session, become } = changing([
    ["git", { prompts: itemsOf("prompts", "commit", "x".repeat(80)) }],
    ["a_b", { prompts: itemsOf("prompts", "c") }],
  ]);
  const prompts = new PromptCatalogue(new ListSource(session, "prompts", everything), "server");
  const [first, long, third] = prompts.list().items.map(({ name }) => String(name));
  assert.equal(first, "git_commit");
  assert.match(long ?? "", /^git_x{35}_[0-9a-f]{8}$/);
  assert.equal(third, "a_b_c");
  await become([["a_b", { prompts: itemsOf("prompts", "c") }], [
    "a",
    { prompts: itemsOf("prompts", "b_c") },
  ]]);
  const names = prompts.list().items.map(({ name }) => String(name));
  assert.deepEqual(names.map((name) => name.replace(/_[0-9a-f]{8}$/, "_#")), [
    "a_b_c_#",
    "a_b_c_#",
  ]);
  assert.deepEqual(prompts.find("a_b_c"), { server: "a_b", prompt: "c" });
  assert.deepEqual(prompts.find("git_commit"), { server: "git", prompt: "commit" });
  assert.equal(prompts.find("git_push"), null);
});

Deno.test("each naming of tools is one of prompts, and bare names that clash get the hash", () => {
  const session = sessionWith([
    ["one", { prompts: itemsOf("prompts", "same", "own") }],
    ["two", { prompts: itemsOf("prompts", "same") }],
  ]);
  const named = (naming: "prefixed" | "key" | "bare"): readonly string[] =>
    new PromptCatalogue(new ListSource(session, "prompts", everything), naming).list().items
      .map(({ name }) => String(name));
  assert.deepEqual(named("prefixed"), ["mcp_one_same", "mcp_one_own", "mcp_two_same"]);
  assert.match(named("key")[1] ?? "", /^c[0-9a-z]{5}_own$/);
  const [same, own, other] = named("bare");
  assert.match(same ?? "", /^same_[0-9a-f]{8}$/);
  assert.equal(own, "own");
  assert.match(other ?? "", /^same_[0-9a-f]{8}$/);
});

Deno.test("one broken field costs a host no list, and unknown ones stay", () => {
  const raw = {
    name: "p",
    title: null,
    description: "seen\u{e0041}",
    arguments: [{ name: "a", description: 1, required: "yes", unknown: [1] }, "b", { title: "c" }],
    icons: [{ src: 1 }],
    unknown: { kept: true },
    _meta: { own: 1 },
  };
  const resource = { uri: "x:1", size: "big", annotations: { priority: 7, audience: ["user"] } };
  const session = sessionWith([["s", {
    prompts: [{ key: "p", name: "p", description: "", raw }],
    resources: [{ key: "x:1", name: "x:1", description: "", raw: resource }],
  }]]);
  const prompts = new PromptCatalogue(new ListSource(session, "prompts", everything), "server");
  assert.deepEqual(prompts.list().items, [{
    name: "s_p",
    description: "seen",
    arguments: [{ name: "a", unknown: [1] }],
    unknown: { kept: true },
    _meta: { own: 1, "dev.hotplug/server": "s" },
  }]);
  assert.deepEqual(resourcesOf(session).list().items, [{
    uri: "x:1",
    annotations: { audience: ["user"] },
    name: "x:1",
    _meta: { "dev.hotplug/server": "s" },
  }]);
});

Deno.test("links of every kind of result get the host's name, and all else stays the same object", () => {
  const rename = (uri: string): string => uri === "x:1" ? "mcp+s:x:1" : uri;
  const link = { type: "resource_link", uri: "x:1", name: "n", unknown: 1 };
  const embedded = { type: "resource", resource: { uri: "x:1", text: "t", _meta: { a: 1 } } };
  const text = { type: "text", text: "x:1", uri: "x:1" };
  assert.deepEqual(withRenamedLinks({ content: [text, link, embedded, 7], more: 1 }, rename), {
    content: [
      text,
      { ...link, uri: "mcp+s:x:1" },
      { type: "resource", resource: { uri: "mcp+s:x:1", text: "t", _meta: { a: 1 } } },
      7,
    ],
    more: 1,
  });
  assert.deepEqual(withRenamedLinks({ messages: [{ role: "user", content: link }] }, rename), {
    messages: [{ role: "user", content: { ...link, uri: "mcp+s:x:1" } }],
  });
  assert.deepEqual(withRenamedLinks({ contents: [{ uri: "x:1" }, { uri: "x:2" }] }, rename), {
    contents: [{ uri: "mcp+s:x:1" }, { uri: "x:2" }],
  });
  for (
    const same of [
      { content: [text], structuredContent: { uri: "x:1" } },
      { content: "x:1" },
      { messages: [{ content: text }, { content: null }] },
      { contents: [{ uri: 1 }] },
    ]
  ) assert.equal(withRenamedLinks(same, rename), same);
});

Deno.test("a link that one principal was given means nothing to another", () => {
  const resources = resourcesOf(sessionWith([
    ["one", { resources: itemsOf("resources", "x:1") }],
    ["two", { resources: itemsOf("resources", "x:2") }],
  ]));
  assert.equal(resources.nameFor("two", "secret:1", "ada"), "secret:1");
  assert.deepEqual(resources.find("secret:1", "ada"), { server: "two", uri: "secret:1" });
  assert.equal(resources.find("secret:1", "bob"), null);
  // Nor does it keep a link of another server from being given under its own name.
  assert.equal(resources.nameFor("one", "secret:1", "bob"), "secret:1");
  assert.deepEqual(resources.find("secret:1", "bob"), { server: "one", uri: "secret:1" });
});
