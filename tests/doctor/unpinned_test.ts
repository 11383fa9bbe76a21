import assert from "node:assert/strict";
import { fetchedPackage } from "../../src/doctor/package_words.ts";
import { unpinnedFindings } from "../../src/doctor/unpinned.ts";
import { of, subject, told } from "./made.ts";

Deno.test("the package that a launcher fetches is found behind its options", () => {
  const cases: readonly (readonly [string, string | null, (string | null)?])[] = [
    ["npx -y @a/b", "@a/b", null],
    ["npx -y @a/b@1.2.3 --flag", "@a/b", "1.2.3"],
    ["npx --package=c@2 -- d", "c", "2"],
    ["npx -p c -y d", "c", null],
    ["npx --registry https://r.example -y e", "e", null],
    ["npx -y ./local", null],
    ["npx -y github:a/b", null],
    ["npx -y https://a.example/b.tgz", null],
    ["npx -y ${PACKAGE}", null],
    ["/usr/local/bin/npx.cmd a@latest", "a", "latest"],
    ["cmd /c npx -y a", "a", null],
    ["npm exec -y a", "a", null],
    ["npm run a", null],
    ["bunx a@1", "a", "1"],
    ["bun x a", "a", null],
    ["bun run a.ts", null],
    ["pnpm dlx a", "a", null],
    ["uvx a", "a", null],
    ["uvx --from a[cli]==1.0 b", "a[cli]", "1.0"],
    ["uvx --python 3.12 --with c a@latest", "a", "latest"],
    ["uvx --from git+https://a.example/b b", null],
    ["uv tool run a==2", "a", "2"],
    ["uv run server.py", null],
    ["pipx run a", "a", null],
    ["docker run -i --rm -e KEY -v /a:/b mcp/a", "mcp/a", null],
    ["docker run --rm --name x ghcr.io/a/b:1.2 serve", "ghcr.io/a/b", "1.2"],
    ["docker run localhost:5000/a", "localhost:5000/a", null],
    [`docker run a@sha256:${"0".repeat(64)}`, "a", `sha256:${"0".repeat(64)}`],
    ["docker exec -i box server", null],
    ["node server.js", null],
  ];
  for (const [line, name, version] of cases) {
    const [command = "", ...args] = line.split(" ");
    const found = fetchedPackage(command, args);
    assert.equal(found?.name ?? null, name, line);
    if (name !== null) assert.equal(found?.version, version, line);
  }
});

Deno.test("a version that moves is told with the form to write, a fixed one is not", () => {
  const find = (...args: readonly string[]): readonly string[] =>
    told(unpinnedFindings(subject(of("cursor", { command: "npx", args }))));
  assert.deepEqual(find("-y", "@a/b"), [
    'info: "@a/b" is fetched without a version: what runs may change with every start → Write ' +
    'the version that you know: "@a/b@<version>"',
  ]);
  for (const version of ["latest", "next", "^1.2.3", "~1", ">=2", "1.x || 2"]) {
    assert.equal(find(`a@${version}`).length, 1, version);
  }
  for (const version of ["1.2.3", "2", "1.0.0-beta.1"]) assert.deepEqual(find(`a@${version}`), []);
  assert.deepEqual(find("--auth-token", "hunter2", "a"), [], "what may be a secret is not told");
  const off = subject(of("cursor", { command: "npx", args: ["a"] }), {
    verdict: { state: "disabled", reason: null },
  });
  assert.deepEqual(unpinnedFindings(off), []);
});
