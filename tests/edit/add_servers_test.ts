import assert from "node:assert/strict";
import { chmod, lstat, mkdir, readdir, stat, symlink } from "node:fs/promises";
import { addServers } from "../../src/edit/add_servers.ts";
import { removeServer } from "../../src/edit/remove_server.ts";
import type { NewServer } from "../../src/edit/new_server.ts";
import type { HotplugError } from "../../src/model/errors.ts";
import { inEditPlace, STORE, SWITCHES } from "./made.ts";

const ECHO: NewServer = {
  name: "echo",
  config: { type: "stdio", command: "npx", args: ["-y", "echo-mcp"], env: { K: "${K}" } },
  dialect: "hotplug",
};

const COMMENTED = `{
\t// my servers
\t"mcpServers": {
\t\t"first": { "command": "a", "x-own": [1, 2] }, // keep me
\t},
\t"unknown": { "b": 1 } /* and me */
}`;

Deno.test("what is added to the store is there, and not enabled", async () => {
  await inEditPlace(async ({ given, text, path }) => {
    const { servers, files, effective } = await addServers([ECHO], given);
    assert.deepEqual(servers.map(({ name, done }) => [name, done]), [["echo", "added"]]);
    assert.deepEqual(files.map((file) => file.path), [path(STORE)]);
    assert.deepEqual(JSON.parse(await text(STORE)), {
      mcpServers: { echo: { command: "npx", args: ["-y", "echo-mcp"], env: { K: "${K}" } } },
    });
    assert.equal(effective[0]?.state, "disabled");
    assert.match(effective[0]?.reason?.hint ?? "", /mcp enable echo/);
    assert.equal((await stat(path(STORE))).mode & 0o777, 0o600);
  });
});

Deno.test("with enable it runs here, as this user's wish and not only the repository's", async () => {
  await inEditPlace(async ({ given, text }) => {
    const { effective } = await addServers([{ ...ECHO, config: { command: "a" } }], {
      ...given,
      enable: true,
    });
    assert.equal(effective[0]?.state, "run");
    assert.deepEqual(JSON.parse(await text(SWITCHES)), { enabledMcpServers: ["echo"] });
  });
});

Deno.test("adding and removing gives the old bytes; comments, order and keys stay [A27] [A33]", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    await write(STORE, COMMENTED);
    await addServers([ECHO], given);
    const added = await text(STORE);
    for (const part of ["// my servers", "// keep me", "/* and me */", `"x-own": [1, 2]`]) {
      assert.ok(added.includes(part), part);
    }
    assert.ok(added.includes('\n\t\t"echo": {'), "the indentation is the file's");
    await removeServer("echo", given);
    assert.equal(await text(STORE), COMMENTED);
  });
});

Deno.test("a link stays a link, and the rights of its file stay", async () => {
  await inEditPlace(async ({ given, path, write }) => {
    const real = await write("dotfiles/mcp.json", "{}\r\n");
    await chmod(real, 0o640);
    await mkdir(path("home/.config/hotplug"), { recursive: true });
    await symlink(real, path(STORE));
    await addServers([ECHO], given);
    assert.ok((await lstat(path(STORE))).isSymbolicLink());
    assert.equal((await stat(real)).mode & 0o777, 0o640);
    assert.deepEqual(await readdir(path("dotfiles")), ["mcp.json"], "nothing else is left");
  });
});

Deno.test("a taken name costs only itself and is replaced only when asked [A25]", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    await write(STORE, COMMENTED);
    const first: NewServer = { ...ECHO, name: "first" };
    const kept = await addServers([first, ECHO], given);
    assert.deepEqual(kept.servers.map(({ name, done }) => [name, done]), [
      ["first", "refused"],
      ["echo", "added"],
    ]);
    assert.match(kept.servers[0]?.error?.hint ?? "", /--replace/);
    assert.ok((await text(STORE)).includes(`"x-own"`));
    const replaced = await addServers([first], { ...given, replace: true });
    assert.equal(replaced.servers[0]?.done, "replaced");
    const again = await addServers([first], { ...given, replace: true });
    assert.equal(again.servers[0]?.done, "unchanged");
    assert.deepEqual(again.files, []);
  });
});

Deno.test("a file that cannot be parsed is refused untouched, with line and column [A10] [A43]", async () => {
  await inEditPlace(async ({ given, text, write, path }) => {
    for (const broken of ['{ "mcpServers": {', "[1]", '{ "mcpServers": [] }', "{]"]) {
      await write(STORE, broken);
      const before = await text(STORE);
      await assert.rejects(
        addServers([ECHO], given),
        (error: HotplugError) =>
          ["config-malformed", "edit-refused"].includes(error.code) &&
          /left as it is/.test(error.hint ?? ""),
      );
      assert.equal(await text(STORE), before);
    }
    await write(STORE, "");
    await Deno.remove(path(STORE));
    await mkdir(path(STORE));
    await assert.rejects(addServers([ECHO], given), /it is a folder/);
  });
});

Deno.test("an invalid server is refused and the others are written", async () => {
  await inEditPlace(async ({ given, text }) => {
    const bad: readonly NewServer[] = [
      { name: "-x", config: { command: "a" }, dialect: "hotplug" },
      { name: "none", config: {}, dialect: "hotplug" },
      { name: "url", config: { url: "ftp://x" }, dialect: "hotplug" },
    ];
    const { servers } = await addServers([...bad, ECHO], given);
    assert.deepEqual(servers.map(({ done }) => done), ["refused", "refused", "refused", "added"]);
    assert.deepEqual(Object.keys(JSON.parse(await text(STORE)).mcpServers), ["echo"]);
  });
});

Deno.test("a dry run writes nothing and tells what it would write", async () => {
  await inEditPlace(async ({ given, path }) => {
    const { files, effective } = await addServers([ECHO], { ...given, enable: true, dryRun: true });
    assert.deepEqual(files.map((file) => file.path), [path(STORE), path(SWITCHES)]);
    assert.deepEqual(effective, []);
    await assert.rejects(stat(path("home/.config/hotplug")), { code: "ENOENT" });
  });
});

Deno.test("of two servers with one name the first is written and the second refused", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    await write("home/.continue/config.yaml", "name: mine\n");
    const twice: readonly NewServer[] = [
      { name: "x", config: { command: "a" }, dialect: "hotplug" },
      { name: "x", config: { command: "b" }, dialect: "hotplug" },
    ];
    for (const target of [undefined, { scope: "user", host: "continue" } as const]) {
      const { servers } = await addServers(twice, { ...given, target });
      assert.deepEqual(servers.map(({ done }) => done), ["added", "refused"]);
    }
    assert.equal(JSON.parse(await text(STORE)).mcpServers.x.command, "a");
    assert.equal((await text("home/.continue/config.yaml")).match(/name: x/g)?.length, 1);
  });
});

Deno.test("an address without a type stays open to either way to reach it, where that can be said", async () => {
  await inEditPlace(async ({ given, text }) => {
    const open: NewServer = { name: "x", config: { url: "https://h.example" }, dialect: "hotplug" };
    await addServers([open], given);
    assert.deepEqual(JSON.parse(await text(STORE)).mcpServers.x, { url: "https://h.example" });
    assert.equal((await addServers([open], given)).servers[0]?.done, "unchanged");
    await addServers([open], { ...given, target: { scope: "project" } });
    assert.equal(
      JSON.parse(await text("home/work/project/.mcp.json")).mcpServers.x.type,
      "http",
      "other hosts that read the file need it",
    );
  });
});

Deno.test("what is refused makes no file and no folder", async () => {
  await inEditPlace(async ({ given, path }) => {
    const bad: NewServer = { name: "bad", config: {}, dialect: "hotplug" };
    const { servers, files } = await addServers([bad], given);
    assert.deepEqual([servers[0]?.done, files], ["refused", []]);
    await assert.rejects(stat(path("home/.config")), { code: "ENOENT" });
  });
});

Deno.test("a secret that goes into a file of the repository is named, not shown", async () => {
  await inEditPlace(async ({ given }) => {
    const server: NewServer = {
      name: "x",
      config: {
        command: "a",
        args: ["--token", "s3cr3tvalue$with%signs"],
        env: { API_KEY: "s3cr3tvalue", TOKEN: "${TOKEN}", MODE: "fast" },
        oauth: { clientId: "me", clientSecret: "s3cr3tvalue" },
      },
      dialect: "hotplug",
    };
    const project = await addServers([server], { ...given, target: { scope: "project" } });
    const warnings = project.servers[0]?.warnings ?? [];
    assert.deepEqual(warnings.map((text) => /^"([^"]+)"/.exec(text)?.[1]), [
      "env.API_KEY",
      "args",
      "oauth",
    ]);
    assert.doesNotMatch(warnings.join(), /s3cr3tvalue/);
    const own = await addServers([server], given);
    assert.deepEqual(own.servers[0]?.warnings, []);
  });
});

Deno.test("only what goes to the store can be enabled with it", async () => {
  await inEditPlace(async ({ given, path }) => {
    await assert.rejects(
      addServers([ECHO], { ...given, enable: true, target: { scope: "user", host: "cursor" } }),
      { code: "usage", hint: "What stands in an agent's file is on already" },
    );
    await assert.rejects(stat(path("home/.cursor")), { code: "ENOENT" });
  });
});
