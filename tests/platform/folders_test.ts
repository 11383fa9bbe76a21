import assert from "node:assert/strict";

import type { Machine } from "../../src/model/machine.ts";
import { hotplugFolders } from "../../src/platform/folders.ts";

const LINUX: Machine = {
  platform: "linux",
  env: {},
  home: "/home/u",
  tmp: "/tmp",
  cwd: "/",
  uid: 7,
};

Deno.test("Linux has the XDG defaults", () => {
  assert.deepEqual(hotplugFolders(LINUX), {
    config: "/home/u/.config/hotplug",
    state: "/home/u/.local/state/hotplug",
    cache: "/home/u/.cache/hotplug",
    runtime: "/tmp/hotplug-7",
  });
});

Deno.test("the XDG variables move the folders", () => {
  const env = {
    XDG_CONFIG_HOME: "/x/config",
    XDG_STATE_HOME: "/x/state",
    XDG_CACHE_HOME: "/x/cache",
    XDG_RUNTIME_DIR: "/run/user/7",
  };
  assert.deepEqual(hotplugFolders({ ...LINUX, env }), {
    config: "/x/config/hotplug",
    state: "/x/state/hotplug",
    cache: "/x/cache/hotplug",
    runtime: "/run/user/7/hotplug",
  });
});

Deno.test("an empty or relative XDG variable counts as not set", () => {
  const env = {
    XDG_CONFIG_HOME: "",
    XDG_STATE_HOME: "state",
    XDG_CACHE_HOME: "./cache",
    XDG_RUNTIME_DIR: "run",
  };
  assert.deepEqual(hotplugFolders({ ...LINUX, env }), hotplugFolders(LINUX));
});

Deno.test("macOS has its Library folders", () => {
  const machine: Machine = { ...LINUX, platform: "darwin", home: "/Users/u", tmp: "/var/t" };
  assert.deepEqual(hotplugFolders(machine), {
    config: "/Users/u/Library/Application Support/hotplug",
    state: "/Users/u/Library/Application Support/hotplug/state",
    cache: "/Users/u/Library/Caches/hotplug",
    runtime: "/var/t/hotplug-7",
  });
});

Deno.test("Windows has its profile folders, with and without the variables", () => {
  const machine: Machine = { ...LINUX, platform: "win32", home: "C:\\Users\\u", uid: null };
  assert.deepEqual(hotplugFolders(machine), {
    config: "C:\\Users\\u\\AppData\\Roaming\\hotplug",
    state: "C:\\Users\\u\\AppData\\Local\\hotplug\\state",
    cache: "C:\\Users\\u\\AppData\\Local\\hotplug\\cache",
    runtime: "C:\\Users\\u\\AppData\\Local\\hotplug\\run",
  });
  const env = { APPDATA: "D:\\roaming", LOCALAPPDATA: "D:\\local" };
  assert.deepEqual(hotplugFolders({ ...machine, env }).config, "D:\\roaming\\hotplug");
  assert.deepEqual(hotplugFolders({ ...machine, env }).state, "D:\\local\\hotplug\\state");
});
