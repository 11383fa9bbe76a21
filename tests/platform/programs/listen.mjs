/**
 * Listens with the program's own code, made plain JavaScript, and asks itself; prints `fine`.
 * `listen.mjs <folder of the code>`, in any runtime.
 * @module
 */
import assert from "node:assert/strict";
import { connect } from "node:net";
import process from "node:process";
import { pathToFileURL } from "node:url";

const [, , folder] = process.argv;
const at = (name) => import(pathToFileURL(`${folder}/${name}.mjs`).href);
const { listenHttp } = await at("http_listener");
const { OutgoingText } = await at("outgoing_text");

const limits = {
  headerBytes: 16_384,
  headers: 100,
  headersMs: 300,
  requestMs: 60_000,
  idleMs: 60_000,
  connections: 100,
  stallMs: 30_000,
};

const until = async (holds) => {
  for (let turn = 0; !holds(); turn++) {
    if (turn > 1_000) throw new Error(`It does not hold: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

for (const server of ["runtime", "node"]) {
  let gone = 0;
  const stream = new OutgoingText({ mostWaiting: 1_000, stallMs: 30_000, onGone: () => gone++ });
  const handler = async (request) => {
    if (request.target === "/stream") {
      return { status: 200, headers: { "content-type": "text/event-stream" }, body: stream };
    }
    if (request.target === "/hang") {
      request.onGone(() => gone++);
      await until(() => gone === 2);
    }
    const body = await request.text({ mostBytes: 100, withinMs: 30_000 });
    return {
      status: 200,
      headers: { "x-target": request.target, "x-auth": request.header("authorization") ?? "" },
      body: typeof body === "string" ? body : body.text,
    };
  };
  const listener = await listenHttp({ address: "127.0.0.1", port: 0, handler, limits, server });
  const url = `http://127.0.0.1:${listener.port}`;
  const post = (body) =>
    fetch(`${url}/a?b=c`, { method: "POST", body, headers: { authorization: "Bearer x" } });
  const echoed = await post("gr\u00fc\u00df");
  assert.equal(await echoed.text(), "gr\u00fc\u00df");
  assert.equal(echoed.headers.get("x-target"), "/a?b=c");
  assert.equal(echoed.headers.get("x-auth"), "Bearer x");
  assert.equal(await (await post("x".repeat(101))).text(), "too-large");
  const open = (path) => {
    const socket = connect(listener.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.setEncoding("utf8");
    const seen = { text: "", isClosed: false, close: () => socket.destroy() };
    socket.on("data", (text) => seen.text += text);
    socket.on("close", () => seen.isClosed = true);
    socket.write(path === null ? "GET / HTTP/1.1\r\n" : `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    return seen;
  };
  const reader = open("/stream");
  await until(() => reader.text.includes("text/event-stream"));
  stream.push("piece");
  await until(() => reader.text.includes("piece"));
  reader.close();
  await until(() => gone === 1);
  const hanging = open("/hang");
  await new Promise((resolve) => setTimeout(resolve, 100));
  hanging.close();
  await until(() => gone === 2);
  if (server === "node") {
    const slow = open(null);
    await until(() => slow.isClosed);
  }
  await listener.close();
}
process.stdout.write("fine\n");
process.exit(0);
