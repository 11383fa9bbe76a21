import assert from "node:assert/strict";
import {
  baseFolder,
  folderReason,
  heldBy,
  isCheckout,
  launchFolder,
  namedPaths,
  type PlacedPath,
  type WorkspaceFolder,
} from "../../src/plan/folder_trust.ts";
import { PROJECT, USER } from "./made.ts";

const WORKSPACE: WorkspaceFolder = {
  path: "/link",
  real: "/repo",
  home: "/home/me",
  realHome: "/home/me",
  caseless: false,
};

function place(path: string, more: Partial<PlacedPath> = {}): PlacedPath {
  return { what: "it", path, real: path, kind: "file", folderIsData: false, ...more };
}

Deno.test("without a folder of its own a server starts in the workspace only once approved", () => {
  const facts = { base: "/home/me", workspacePath: "/repo", home: "/home/me" };
  assert.deepEqual(launchFolder(undefined, { ...facts, approved: true }), {
    cwd: "/repo",
    warning: null,
  });
  const held = launchFolder(undefined, { ...facts, approved: false });
  assert.equal(held.cwd, "/home/me");
  assert.match(held.warning ?? "", /mcp trust --folder/);
  assert.equal(launchFolder("", { ...facts, approved: false }).cwd, "/home/me");
  assert.equal(launchFolder("/data", { ...facts, approved: false }).cwd, "/data");
});

Deno.test("a relative folder stands against the project's file, else against home [A18]", () => {
  const folders = { workspacePath: "/repo", home: "/home/me" };
  const project = { ...PROJECT, path: "/repo/sub/.mcp.json" };
  assert.equal(baseFolder(project, folders), "/repo/sub");
  assert.equal(baseFolder(USER, folders), "/home/me");
  assert.equal(baseFolder({ ...USER, path: null }, folders), "/repo");
  const facts = { approved: true, base: "/repo/sub", workspacePath: "/repo", home: "/home/me" };
  assert.equal(launchFolder("tools", facts).cwd, "/repo/sub/tools");
});

Deno.test("in the home folder nothing is said about it", () => {
  const facts = { approved: false, base: "/home/me", workspacePath: "/home/me", home: "/home/me" };
  assert.deepEqual(launchFolder(undefined, facts), { cwd: "/home/me", warning: null });
});

Deno.test("a workspace that holds the home folder is nobody's checkout", () => {
  assert.equal(isCheckout(WORKSPACE), true);
  assert.equal(isCheckout({ ...WORKSPACE, path: "/home/me", real: "/home/me" }), false);
  assert.equal(isCheckout({ ...WORKSPACE, path: "/", real: "/" }), false);
  assert.equal(isCheckout({ ...WORKSPACE, path: "/x", real: "/home" }), false);
});

Deno.test("paths are found in every part that may run them", () => {
  const paths = (args: readonly string[], command = "node"): readonly string[] =>
    namedPaths({ command, args }, { cwd: "/w", base: "/b" }).map(({ path }) => path);
  assert.deepEqual(paths([]), ["/w"]);
  assert.deepEqual(paths([], "./run"), ["/w", "/w/run"]);
  assert.deepEqual(paths(["/repo/a.js"]), ["/w", "/repo/a.js"]);
  assert.deepEqual(paths(["../repo/a.js"]), ["/w", "/repo/a.js"]);
  assert.deepEqual(paths(["--import=./a.mjs"]), ["/w", "/w/a.mjs"]);
  assert.deepEqual(paths(["--import=file:///repo/a.mjs"]), ["/w", "/repo/a.mjs"]);
  assert.deepEqual(paths(["-r/repo/a.js"]), ["/w", "/repo/a.js"]);
  assert.deepEqual(paths(["file:///repo/a.js"]), ["/w", "/repo/a.js"]);
  assert.deepEqual(paths(["file:../repo"]), ["/w", "/repo"]);
  assert.deepEqual(paths(["x@file:/repo", "git+file:///repo"]), ["/w", "/repo", "/repo"]);
  assert.deepEqual(paths(["FILE=/repo/a.js"]), ["/w", "/w/FILE=/repo/a.js", "/repo/a.js"]);
  assert.deepEqual(paths(["-y", "--verbose", "npm:thing@1", "https://x.example/repo"]), ["/w"]);
  assert.deepEqual(paths(["", "a\0b", "x".repeat(5000)]), ["/w"]);
  assert.deepEqual(
    namedPaths({ command: "x", envFile: ".env" }, { cwd: "/w", base: "/b" })[1]?.path,
    "/b/.env",
  );
});

Deno.test("what lies in the workspace is held, by its name or by where its link leads", () => {
  assert.deepEqual(heldBy([place("/repo/a")], WORKSPACE), ["it"]);
  assert.deepEqual(heldBy([place("/link/a", { real: "/usr/bin/a" })], WORKSPACE), ["it"]);
  assert.deepEqual(heldBy([place("/home/me/a", { real: "/repo/a" })], WORKSPACE), ["it"]);
  assert.deepEqual(heldBy([place("/repo/gone", { kind: "absent" })], WORKSPACE), ["it"]);
  assert.deepEqual(heldBy([place("/home/me/a"), place("/repository/a")], WORKSPACE), []);
});

Deno.test("a folder of the workspace that is mere data holds nothing back", () => {
  const data = { kind: "folder", folderIsData: true } as const;
  assert.deepEqual(heldBy([place("/repo/docs", data)], WORKSPACE), []);
  const folders = { cwd: "/w", base: "/w" };
  const isData = (args: readonly string[]): boolean | undefined =>
    namedPaths({ command: "x", args }, folders).at(-1)?.folderIsData;
  assert.equal(isData(["-y", "@x/files", "/repo"]), true);
  assert.equal(isData(["/repo"]), false);
  assert.equal(isData(["--directory", "/repo"]), false);
  assert.equal(isData(["run", "--prefix=/repo"]), false);
});

Deno.test("a server that starts in the workspace is held", () => {
  const named = namedPaths({ command: "x" }, { cwd: "/repo", base: "/b" });
  const places = named.map((path): PlacedPath => ({ ...path, real: path.path, kind: "folder" }));
  assert.deepEqual(heldBy(places, WORKSPACE), ["working folder"]);
});

Deno.test("beside a working folder in the workspace only what exists there is named", () => {
  const places = (kind: PlacedPath["kind"]): readonly PlacedPath[] =>
    namedPaths({ command: "npx", args: ["-y", "y"] }, { cwd: "/repo", base: "/b" })
      .map((named): PlacedPath => ({
        ...named,
        real: named.path,
        kind: named.path === "/repo" ? "folder" : kind,
      }));
  assert.deepEqual(heldBy(places("absent"), WORKSPACE), ["working folder"]);
  assert.deepEqual(heldBy(places("file"), WORKSPACE), ["working folder", "argument 2"]);
  // What is named there from elsewhere may come into being yet.
  assert.deepEqual(heldBy([place("/home/me", { kind: "folder" }), place("/repo/x")], WORKSPACE), [
    "it",
  ]);
});

Deno.test("the reason says what would be taken from the workspace", () => {
  const said = (...held: string[]): string | null => folderReason(held)?.message ?? null;
  assert.equal(said(), null);
  assert.equal(
    said("working folder"),
    "Its working folder lies in this workspace, which is not approved: what it runs may be " +
      "taken from there",
  );
  assert.match(said("working folder", "argument 2") ?? "", /there, and so would its argument 2$/);
  assert.equal(
    said("envFile", "command"),
    "Its envFile and command would be taken from this workspace, which is not approved",
  );
});
