import assert from "node:assert/strict";
import type { LogMessage } from "../../src/model/log_message.ts";
import { LogStash, MOST_LOGS } from "../../src/runtime/log_stash.ts";
import { hostTeller, type TellHost } from "../../src/runtime/tell_host.ts";

const line = (number: number): LogMessage => ({
  server: "s",
  level: "info",
  message: String(number),
  time: number,
  logger: null,
});

const tell: TellHost = (call) => call();

Deno.test("log lines wait for somebody who wants them, the newest 500", () => {
  const stash = new LogStash(undefined, tell);
  for (let number = 0; number < MOST_LOGS * 3 + 7; number++) stash.add(line(number));
  const { logs, dropped } = stash.take();
  assert.equal(logs.length, MOST_LOGS);
  assert.equal(dropped, MOST_LOGS * 2 + 7);
  assert.equal(logs[0]?.time, dropped);
  assert.deepEqual(stash.take(), { logs: [], dropped: 0 });
});

Deno.test("a listener gets what was kept, then each line at once, until it is taken away", () => {
  const stash = new LogStash(undefined, tell);
  const heard: number[] = [];
  stash.add(line(1));
  assert.equal(stash.listen(({ time }) => heard.push(time)), 0);
  stash.add(line(2));
  assert.deepEqual(heard, [1, 2]);
  assert.equal(stash.listen(null), 0);
  stash.add(line(3));
  assert.deepEqual(heard, [1, 2]);
  assert.deepEqual(stash.take().logs.map(({ time }) => time), [3]);
});

Deno.test("a listener that throws loses its line and nothing else", () => {
  const told: string[] = [];
  const heard: number[] = [];
  const stash = new LogStash(({ time }) => {
    if (time === 1) throw new Error("no");
    heard.push(time);
  }, hostTeller({ log: (_level, message) => told.push(message) }));
  stash.add(line(1));
  stash.add(line(2));
  assert.deepEqual(told, ["A callback of the host has thrown"]);
  assert.deepEqual(heard, [2]);
});
