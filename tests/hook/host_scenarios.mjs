// deno-lint-ignore-file explicit-function-return-type no-console -- a program of any runtime
/**
 * A host that treats extensions as pi or oh-my-pi does, in any runtime:
 * `host_scenarios.mjs <hook file> <scenario> <input as JSON>` prints what came of it as JSON.
 */
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const [file, scenario, input] = process.argv.slice(2);
const { default: extension } = await import(pathToFileURL(file).href);
const { activates, hang } = JSON.parse(input);

const handlers = new Map();
const tools = new Map();
const notices = [];
let active = ["read", "bash"];

/** As seen of both hosts: what is registered anew is switched on only if it was not known. */
extension({
  on: (event, handler) => handlers.set(event, handler),
  registerTool(tool) {
    if (activates && !tools.has(tool.name)) active.push(tool.name);
    tools.set(tool.name, tool);
  },
  getActiveTools: () => [...active],
  async setActiveTools(names) {
    await sleep(activates ? 0 : 5);
    active = names.filter((name) => tools.has(name) || ["read", "bash"].includes(name));
  },
});

const context = { cwd: process.cwd(), ui: { notify: (...said) => notices.push(said) } };
const start = () => handlers.get("session_start")({}, context);
const end = () => handlers.get("session_shutdown")({}, context);
const call = (name, args = {}, ...more) => tools.get(name).execute("id", args, ...more);
const ours = () => active.filter((name) => /alpha|beta|gamma|delta/.test(name));

async function set(...names) {
  await call("set", { names });
  await sleep(300);
}

async function failure(promise) {
  try {
    await promise;
  } catch (error) {
    return error.message;
  }
  return null;
}

const scenarios = {
  async tools() {
    await start();
    const first = ours();
    const { execute: _, ...alpha } = tools.get("alpha");
    const result = await call("alpha", { text: "hi" });
    await set("alpha", "gamma");
    const exchanged = ours();
    const failed = await failure(call("fail"));
    await end();
    await end();
    return { first, alpha, result, exchanged, failed, hosts: active.slice(0, 2), notices };
  },

  async choices() {
    await start();
    await set("alpha", "beta", "gamma", "delta");
    // The user switches off one that stays, one that is changed and one that goes and comes.
    active = active.filter((name) => !["alpha", "beta"].includes(name));
    await set("alpha", "gamma");
    const gone = ours();
    await set("alpha", "beta", "gamma", "delta");
    const back = ours();
    await call("set", { names: ["alpha", "beta", "gamma"], description: "Another" });
    await sleep(300);
    const changed = { ours: ours(), description: tools.get("alpha").description };
    await end();
    return { gone, back, changed };
  },

  async killed() {
    await start();
    const lost = await failure(call("die"));
    const kept = ours();
    const next = (await call("alpha", { text: "hi" })).content;
    await end();
    return { lost, kept, next, notices };
  },

  async results() {
    await start();
    const { content } = await call("kinds");
    const [{ text }] = content;
    const structured = (await call("structured")).content;
    await end();
    return { length: text.length, end: text.slice(-7), rest: content.slice(1), structured };
  },

  async states() {
    await start();
    await call("state", { server: "a", state: "needs-auth", error: { message: "Log in" } });
    await call("state", { server: "a", state: "connected", error: null });
    context.ui.notify = () => {
      throw new Error("made up");
    };
    await call("state", { server: "b", state: "error", error: null });
    await end();
    return { notices };
  },

  async start() {
    const begun = Date.now();
    await start();
    const ms = Date.now() - begun;
    if (hang) await sleep(1_500);
    await end();
    return { ms, notices, ours: ours() };
  },

  async "sessions one after the other"() {
    await start();
    await set("alpha");
    await start();
    await sleep(100);
    const second = ours();
    await end();
    return { second };
  },
};

console.log(JSON.stringify(await scenarios[scenario]()));
