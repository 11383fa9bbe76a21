import assert from "node:assert/strict";
import type { JsonObject } from "../../src/model/json.ts";
import { fromRepository } from "../harness/repository.ts";
import { type Agent, HAS_AGENTS, installed } from "./agents.ts";

/** The AI SDK in each version that its tools are made for, and how it tells a model of a picture. */
const VERSIONS = [
  { version: "5.0.277", picture: { type: "media", data: "iVBORw0KGgo=" } },
  { version: "6.0.326", picture: { type: "image-data", data: "iVBORw0KGgo=" } },
  { version: "7.0.173", picture: { type: "file", data: { type: "data", data: "iVBORw0KGgo=" } } },
] as const;

for (const { version, picture } of VERSIONS) {
  Deno.test({
    name: `the AI SDK ${version} takes our tools and calls them (A6)`,
    ignore: !HAS_AGENTS,
    fn: async () => {
      const turn = await runTurn(version);
      assert.equal(turn["text"], "done");
      assert.deepEqual(turn["tools"], [{
        type: "function",
        name: "mcp_srv_greet",
        description: "Greets",
        inputSchema: {
          type: "object",
          properties: { who: { type: "string" } },
          required: ["who"],
        },
      }]);
      const [answer] = turn["answer"] as readonly JsonObject[];
      assert.deepEqual(answer?.["output"], {
        type: "content",
        value: [
          { type: "text", text: "Hello world, false" },
          { ...picture, mediaType: "image/png" },
        ],
      });
    },
  });
}

/** One turn of the AI SDK in Node, with a tool of ours. */
async function runTurn(version: string): Promise<JsonObject> {
  const agent: Agent = {
    name: "ai-sdk",
    version,
    packages: [`ai@${version}`, "zod@4.6.7"],
    command: ["node", version.startsWith("7") ? "ai/dist/index.js" : "ai/dist/index.mjs"],
  };
  const { command: [node, file = ""] } = await installed(agent);
  const script = fromRepository("tests/hosts/programs/ai_sdk_turn.ts");
  const { success, stdout, stderr } = await new Deno.Command(node, {
    args: ["--disable-warning=ExperimentalWarning", script, file, version.slice(0, 1)],
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout)) as JsonObject;
}
