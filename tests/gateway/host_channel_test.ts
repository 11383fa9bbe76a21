import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { HostChannel, type HostInput, type HostOutput } from "../../src/gateway/host_channel.ts";

/** The two streams of a host, turned by hand. */
class Streams extends EventEmitter {
  readonly written: string[] = [];
  readonly waiting: (() => void)[] = [];
  isBroken = false;
  holds = false;

  readonly output: HostOutput = {
    write: (text) => {
      if (this.isBroken) return Promise.reject(new Error("EPIPE"));
      this.written.push(text);
      return this.holds ? new Promise((resolve) => this.waiting.push(resolve)) : Promise.resolve();
    },
  };

  pause(): this {
    return this;
  }

  says(text: string): void {
    this.emit("data", new TextEncoder().encode(text));
  }
}

function channelOf(streams: Streams, limits = {}): { channel: HostChannel; lines: string[] } {
  const lines: string[] = [];
  const input = streams as unknown as HostInput;
  const channel = new HostChannel({
    input,
    output: streams.output,
    onLine: (line) => lines.push(line),
    ...limits,
  });
  return { channel, lines };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("lines are cut out of pieces of any size", async () => {
  const streams = new Streams();
  const { channel, lines } = channelOf(streams);
  streams.says('{"a":');
  streams.says('1}\n{"b":2}\n{"c"');
  assert.deepEqual(lines, ['{"a":1}', '{"b":2}']);
  await channel.close();
});

Deno.test("a line that is too long is cut, and those after it come whole", async () => {
  const streams = new Streams();
  const { channel, lines } = channelOf(streams, { longestMessage: 8 });
  streams.says(`${"x".repeat(100)}\nshort\n`);
  assert.deepEqual(lines, ["xxxxxxxx", "short"]);
  await channel.close();
});

Deno.test("while a host does not read nothing is held up, and what waits goes out in one piece", async () => {
  const streams = new Streams();
  streams.holds = true;
  const { channel } = channelOf(streams);
  channel.send({ n: 1 });
  await turn();
  channel.send({ n: 2 });
  channel.send({ n: 3 });
  await turn();
  assert.deepEqual(streams.written, ['{"n":1}\n']);
  streams.holds = false;
  streams.waiting.shift()?.();
  await turn();
  assert.deepEqual(streams.written, ['{"n":1}\n', '{"n":2}\n{"n":3}\n']);
  await channel.close();
});

Deno.test("a host that closed its end, or lets too much wait, counts as gone", async () => {
  const closed = new Streams();
  const one = channelOf(closed);
  closed.emit("end");
  await one.channel.ended;

  const broken = new Streams();
  broken.isBroken = true;
  const two = channelOf(broken);
  two.channel.send({});
  await two.channel.ended;

  const silent = new Streams();
  silent.holds = true;
  const three = channelOf(silent, { mostWaiting: 20 });
  three.channel.send({ n: 1 });
  await turn();
  three.channel.send({ n: "a long text that waits" });
  await three.channel.ended;
  silent.waiting.shift()?.();
  await Promise.all([one, two, three].map(({ channel }) => channel.close()));
});

Deno.test("a host that lets much wait is behind until it has read that", async () => {
  const streams = new Streams();
  streams.holds = true;
  const { channel } = channelOf(streams);
  channel.send({ n: 1 });
  await turn();
  channel.send({ text: "x".repeat(1024) });
  assert.equal(channel.isBehind, false);
  channel.send({ text: "x".repeat(5 * 1024 * 1024) });
  assert.equal(channel.isBehind, true);
  streams.holds = false;
  streams.waiting.shift()?.();
  await turn();
  assert.equal(channel.isBehind, false);
  await channel.close();
});

Deno.test("the end waits for what was written, and not for ever", async () => {
  const streams = new Streams();
  streams.holds = true;
  const { channel } = channelOf(streams);
  channel.send({ last: true });
  await turn();
  const closing = channel.close();
  streams.waiting.shift()?.();
  await closing;
  assert.deepEqual(streams.written, ['{"last":true}\n']);
  assert.equal(streams.listenerCount("data"), 0);
});

Deno.test("what no text can hold is refused and ends nothing", async () => {
  const streams = new Streams();
  const { channel } = channelOf(streams);
  const endless = {
    get text(): string {
      return "x".repeat(2 ** 30);
    },
  };
  assert.equal(channel.send(endless), false);
  assert.equal(channel.send({ fine: true }), true);
  await turn();
  assert.deepEqual(streams.written, ['{"fine":true}\n']);
  await channel.close();
});
