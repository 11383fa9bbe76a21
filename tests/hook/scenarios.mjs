// deno-lint-ignore-file explicit-function-return-type no-console -- a program of any runtime
/**
 * What an agent of one's own does with the module hook, in any runtime:
 * `scenarios.mjs <hook file> <scenario> <input as JSON>` prints what came of it as JSON.
 */
import { execFile } from "node:child_process";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const [file, scenario, input] = process.argv.slice(2);
const { openToolset } = await import(pathToFileURL(file).href);
const rest = JSON.parse(input);

const names = ({ tools }) => tools.map(({ name }) => name);
const texts = ({ content, isError }) => ({ text: content.map(({ text }) => text).join(), isError });

async function until(holds) {
  for (const latest = Date.now() + 20_000; !holds(); await sleep(5)) {
    if (Date.now() > latest) throw new Error(`It did not hold: ${holds}`);
  }
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
    const toolset = await openToolset();
    const steps = [];
    const tool = (name) => toolset.tools.find((one) => one.name === name);
    const onProgress = ({ progress, total }) => steps.push(`${progress}/${total}`);
    const answer = {
      generation: toolset.generation,
      count: toolset.tools.length,
      echo: tool("echo"),
      echoed: await tool("echo").execute({ message: "naïve 漢字" }),
      sum: texts(await toolset.call("get-sum", { a: 2, b: 3 })),
      image: (await toolset.call("get-tiny-image")).content.map(({ type }) => type),
      structured: await toolset.call("get-structured-content", { location: "Chicago" }),
      unknown: texts(await toolset.call("nothing")),
      wrong: texts(await toolset.call("get-sum", { a: "x" })),
      long: texts(
        await tool("trigger-long-running-operation").execute({ duration: 0.4, steps: 4 }, {
          onProgress,
        }),
      ),
      state: toolset.status().state,
      hasPid: toolset.status().pid > 0,
    };
    await Promise.all([toolset.close(), toolset.close()]);
    await toolset.close();
    const afterwards = texts(await toolset.call("echo", { message: "x" }));
    return { ...answer, steps, afterwards, closed: toolset.status() };
  },

  async killed() {
    const states = [];
    const toolset = await openToolset({
      onStatus: ({ server, state }) => states.push([server, state]),
    });
    const begun = Date.now();
    const lost = texts(await toolset.call("act"));
    const answeredSoon = Date.now() - begun < 2_000;
    const kept = names(toolset);
    const again = texts(await toolset.call("act"));
    const generation = toolset.generation;
    await toolset.close();
    return { lost, answeredSoon, kept, isPid: /^\d+$/.test(again.text), generation, states };
  },

  async "killed idle"() {
    const states = [];
    const toolset = await openToolset({
      onStatus: ({ state, error }) => states.push([state, error]),
    });
    const { pid } = toolset.status();
    process.kill(pid, "SIGKILL");
    await until(() => toolset.status().state === "restarting");
    const kept = names(toolset);
    await until(() => toolset.status().state === "running");
    const isOther = toolset.status().pid !== pid;
    await toolset.close();
    return { kept, isOther, states };
  },

  async "does not start"() {
    const begun = Date.now();
    const message = await failure(openToolset({ startMs: 700 }));
    return { message, soon: Date.now() - begun < 8_000 };
  },

  async storm() {
    const diffs = [];
    const toolset = await openToolset({ onRefresh: (given, diff) => diffs.push({ given, diff }) });
    const last = (await toolset.call("storm")).content[0].text;
    await until(() => names(toolset).includes(last));
    const reads = Number((await toolset.call("reads")).content[0].text);
    const { added, removed, changed } = diffs.at(-1).diff;
    const answer = {
      isSame: diffs.every(({ given }) => given === toolset),
      grown: toolset.generation === diffs.length + 1,
      isCurrent: added.join() === last && removed.length === 1 && changed.length === 0,
      versions: names(toolset).filter((name) => name.startsWith("version_")).length,
      reads,
    };
    await toolset.close();
    return answer;
  },

  async abort() {
    const toolset = await openToolset();
    const abort = new AbortController();
    const call = failure(toolset.call("go", {}, { signal: abort.signal }));
    await sleep(50);
    abort.abort(new Error("enough"));
    const message = await call;
    const before = await failure(toolset.call("go", {}, { signal: abort.signal }));
    const cancelled = JSON.parse((await toolset.call("was-cancelled")).content[0].text);
    await toolset.close();
    return { message, before, reasons: cancelled.map(({ reason }) => reason) };
  },

  async "callbacks that throw"() {
    const toolset = await openToolset({
      onRefresh() {
        throw new Error("made up");
      },
      onStatus: () => Promise.reject(new Error("made up")),
    });
    await until(() => names(toolset).includes("late"));
    const result = await toolset.call("late", {}, {
      onProgress() {
        throw new Error("made up");
      },
    });
    await toolset.close();
    return texts(result);
  },

  async "aborted start"() {
    const abort = new AbortController();
    const opening = failure(openToolset({ signal: abort.signal }));
    await sleep(rest.ms);
    abort.abort(new Error("enough"));
    return { message: await opening, at: await failure(openToolset({ signal: abort.signal })) };
  },

  async "close in a call"() {
    const abort = new AbortController();
    const toolset = await openToolset({ signal: abort.signal });
    const call = toolset.call("go");
    await sleep(50);
    if (rest.by === "signal") abort.abort();
    else toolset.close();
    return texts(await call);
  },

  async silent() {
    const toolset = await openToolset({ silenceMs: 300 });
    const { pid } = toolset.status();
    process.kill(pid, "SIGSTOP");
    const result = texts(await toolset.call("echo", { text: "x" }));
    const again = texts(await toolset.call("echo", { text: "back" }));
    await toolset.close();
    return { result, again };
  },

  async "slow but alive"() {
    const toolset = await openToolset({ silenceMs: 250 });
    const result = texts(await toolset.call("go", { ms: 1_500 }));
    await toolset.close();
    return result;
  },

  async call() {
    const toolset = await openToolset(rest.options);
    const result = texts(await toolset.call("go"));
    await toolset.close();
    return result;
  },

  async "dies itself"() {
    await openToolset();
    process.kill(process.pid, "SIGKILL");
    await sleep(60_000);
  },

  async reload() {
    const diffs = [];
    const states = [];
    const toolset = await openToolset({
      onRefresh: (_, diff) => diffs.push(diff),
      onStatus: ({ server, state }) => server !== null && states.push(`${server} ${state}`),
    });
    const tool = ({ name, server }) => [name, server];
    const before = toolset.tools.map(tool);
    const echo = async (name) => texts(await toolset.call(name, { text: "hi" })).text;
    const echoed = await echo("mcp_one_echo");
    const waiting = toolset.call("mcp_one_go", { ms: 1_500 });
    const run = (args) =>
      new Promise((resolve) => {
        execFile(rest.mcp[0], [...rest.mcp.slice(1), ...args], (error, stdout, stderr) =>
          resolve(error === null ? stdout : `${stdout}${stderr}`));
      });
    await run(["add", "three", "--enable", "--", ...rest.server, "good"]);
    await run(["remove", "two"]);
    const report = await run(["reload", "--json"]);
    const after = toolset.tools.map(tool);
    const answer = {
      before,
      echoed,
      after,
      new: await echo("mcp_three_echo"),
      same: await echo("mcp_one_echo"),
      gone: texts(await toolset.call("mcp_two_echo", { text: "x" })),
      waited: texts(await waiting).text,
      report,
      generation: toolset.generation,
      diffs,
      states: states.filter((state) => /connected$/.test(state)),
      servers: toolset.status().servers,
    };
    await toolset.close();
    return answer;
  },

  async "killed gateway"() {
    const toolset = await openToolset();
    const { pid } = toolset.status();
    const waiting = toolset.call("mcp_one_go", { ms: 60_000 });
    await sleep(200);
    process.kill(pid, "SIGKILL");
    const lost = texts(await waiting).text;
    const kept = names(toolset);
    const again = texts(await toolset.call("mcp_one_echo", { text: "back" }));
    await toolset.close();
    return { lost, kept, again };
  },

  async "first look"() {
    const begun = Date.now();
    const toolset = await openToolset();
    const ms = Date.now() - begun;
    const states = toolset.status().servers.map(({ server, state }) => [server, state]);
    await toolset.close();
    return { ms, tools: names(toolset), states };
  },

  async "finds its program"() {
    const message = await failure((async () => {
      const toolset = await openToolset(rest);
      await toolset.close();
    })());
    return { message };
  },
};

console.log(JSON.stringify(await scenarios[scenario]()));
