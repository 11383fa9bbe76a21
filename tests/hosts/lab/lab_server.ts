/**
 * A server over stdio whose tools are given, and may change:
 * `lab_server.ts <name> <tool,tool,…> [file]`. Each tool answers its own name, the name of the
 * server, the process and its argument `text`; the tool `wait` writes its process to the file that
`text` names, and never answers.
 * When the file is there, its tools are offered in place of the given ones; it is looked at again
 * and again.
 * @module
 */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import process from "node:process";
import { z } from "zod";

const [name = "lab", given = "", file] = process.argv.slice(2);

/** Milliseconds between two looks at the file. */
const LOOK_MS = 20;

const mcp = new McpServer({ name, version: "1.0.0" });
const offered = new Map<string, { readonly remove: () => void }>();

function offer(wanted: readonly string[]): void {
  for (const tool of wanted) {
    if (offered.has(tool)) continue;
    const registered = mcp.registerTool(tool, {
      description: `The tool ${tool} of the server ${name}`,
      inputSchema: { text: z.string().optional() },
    }, async ({ text = "" }: { readonly text?: string | undefined }) => {
      if (tool === "wait") {
        await Deno.writeTextFile(text, `${process.pid}`);
        await new Promise(() => {});
      }
      const said = `${tool} of ${name}, process ${process.pid}: ${text}`;
      return { content: [{ type: "text", text: said }] };
    });
    offered.set(tool, registered);
  }
  for (const [tool, registered] of offered) {
    if (wanted.includes(tool)) continue;
    offered.delete(tool);
    registered.remove();
  }
}

/** Tools that are to be offered now. */
async function wanted(): Promise<readonly string[]> {
  const text = file === undefined ? null : await Deno.readTextFile(file).catch(() => null);
  return (text ?? given).trim().split(",").filter((tool) => tool !== "");
}

offer(await wanted());
await mcp.connect(new StdioServerTransport());
if (file !== undefined) {
  let last = `${await wanted()}`;
  const timer = setInterval(async () => {
    const tools = await wanted();
    if (`${tools}` === last) return;
    last = `${tools}`;
    offer(tools);
  }, LOOK_MS);
  process.stdin.once("close", () => clearInterval(timer));
}
