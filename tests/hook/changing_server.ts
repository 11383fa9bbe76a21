/**
 * What a hook file sees of a session whose tools come and go: an MCP server over stdio. Its tool
 * `set` takes the names of the other tools and what they are described as; `die` ends it without
 * an answer, `state` says how a server stands, `kinds` gives a result of every kind.
 * @module
 */
import process from "node:process";
import { type Data, RawServer, SILENCE, textResult, tool } from "../servers/trap/raw_server.ts";

const server = new RawServer("changing", { tools: { listChanged: true }, logging: {} });
server.tools.length = 0;

const fixed = [
  tool("set", ({ names, description = "A tool" }) => {
    offer(names as readonly string[], String(description));
    server.send({ method: "notifications/tools/list_changed" });
    return textResult("set");
  }),
  tool("die", () => {
    process.kill(process.pid, "SIGKILL");
    return SILENCE;
  }),
  tool("state", (data) => {
    const params = { level: "info", logger: "dev.hotplug/status", data };
    server.send({ method: "notifications/message", params });
    return textResult("told");
  }),
  tool("fail", () => ({ ...textResult("it did not work"), isError: true })),
  tool("kinds", () => ({
    content: [
      { type: "text", text: "x".repeat(80_000) + "the end" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
      { type: "resource_link", uri: "file:///a", name: "a" },
      { type: "resource", resource: { uri: "file:///b", text: "text of b" } },
      { type: "resource", resource: { uri: "file:///c", blob: "AAAA", mimeType: "x/y" } },
    ],
  })),
  tool("structured", () => ({ content: [], structuredContent: { a: 1 } })),
];

/** Offers these tools beside the fixed ones. */
function offer(names: readonly string[], description: string): void {
  const echo = (name: string) => (args: Data): Data => textResult(`${name} ${args["text"] ?? ""}`);
  const _meta = { "dev.hotplug/server": "changing" };
  const offered = names.map((name) => tool(name, echo(name), { description, _meta }));
  server.tools.splice(0, Infinity, ...offered, ...fixed);
}

offer(["alpha", "beta"], "A tool");
server.start();
