import assert from "node:assert/strict";
import { fiveIre } from "../../src/sources/five_ire.ts";
import { assertPlan } from "./golden.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FOLDERS = {
  linux: "home/.config/5ire",
  darwin: "home/Library/Application Support/5ire",
  win32: "home/AppData/Roaming/5ire",
} as const;

const USER_FILE = {
  mcpServers: {
    files: {
      key: "files",
      name: "Files",
      type: "local",
      command: "npx",
      args: ["files-mcp", "${LITERAL}"],
      env: { A: "b" },
      proxy: "http://127.0.0.1:3128",
      isActive: true,
      capabilities: ["tools"],
      approvalPolicy: "always",
    },
    remote: {
      type: "remote",
      url: "https://a.example/sse",
      headers: { A: "b" },
      proxy: "http://127.0.0.1:3128",
      isActive: true,
    },
    asleep: { command: "asleep" },
  },
  updated: 1,
};

for (const platform of ["linux", "darwin", "win32"] as const) {
  const file = `${FOLDERS[platform]}/mcp.json`;
  Deno.test(`the file of 5ire is read on ${platform}, what is not active is off`, async () => {
    const user = { source: "5ire", scope: "user", file } as const;
    await assertPlan({ platform, sources: [fiveIre], files: { [file]: USER_FILE } }, [
      {
        ...user,
        name: "files",
        state: "run",
        config: {
          type: "stdio",
          command: "npx",
          args: ["files-mcp", "${LITERAL}"],
          env: {
            A: "b",
            HTTP_PROXY: "http://127.0.0.1:3128",
            HTTPS_PROXY: "http://127.0.0.1:3128",
            ALL_PROXY: "http://127.0.0.1:3128",
          },
          enabled: true,
        },
      },
      {
        ...user,
        name: "remote",
        state: "run",
        config: { url: "https://a.example/sse", headers: { A: "b" }, enabled: true },
      },
      {
        ...user,
        name: "asleep",
        state: "disabled",
        config: { type: "stdio", command: "asleep", enabled: false },
      },
    ]);
  });
}

Deno.test("a bad entry of 5ire's costs itself, and nothing is ever written there [A05]", async () => {
  await using machine = await TempMachine.create();
  const file = `${FOLDERS.linux}/mcp.json`;
  await machine.write(file, {
    mcpServers: { bad: { env: 5, proxy: "p", command: "a" }, good: { command: "a" } },
  });
  const reading = await machine.read(fiveIre);
  assert.equal(only(reading, "bad").problems.length, 1);
  assert.deepEqual(only(reading, "good").problems, []);
  await machine.write(file, "[]");
  assert.match(
    report(await machine.read(fiveIre), file).error?.message ?? "",
    /expected an object/,
  );
  assert.equal(fiveIre.writer?.format.spelling, undefined);
});
