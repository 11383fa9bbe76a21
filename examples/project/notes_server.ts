/**
 * An MCP server in forty lines: it keeps the notes of a project in `notes.md`, one a line.
 * It may read and write that file and nothing else (see `.mcp.json`).
 * @module
 */
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { appendFile, readFile } from "node:fs/promises";
import { z } from "zod";

const FILE = "notes.md";

/** Every note, oldest first. */
async function notes(): Promise<readonly string[]> {
  const lines = (await readFile(FILE, "utf8")).split("\n");
  return lines.filter((line) => line.startsWith("- ")).map((line) => line.slice(2));
}

/** A tool's answer. */
function text(lines: readonly string[]): { content: [{ type: "text"; text: string }] } {
  return { content: [{ type: "text", text: lines.join("\n") || "No notes" }] };
}

serveStdio(() => {
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  server.registerTool("list_notes", {
    description: "Lists every note of this project",
    annotations: { readOnlyHint: true },
  }, async () => text(await notes()));
  server.registerTool("find_notes", {
    description: "Lists the notes that hold a text",
    inputSchema: z.object({ word: z.string().describe("What to look for, in any case") }),
    annotations: { readOnlyHint: true },
  }, async ({ word }) => {
    const found = (await notes()).filter((note) => note.toLowerCase().includes(word.toLowerCase()));
    return text(found);
  });
  server.registerTool("add_note", {
    description: "Adds a note at the end",
    inputSchema: z.object({ note: z.string().min(1).describe("One line of text") }),
  }, async ({ note }) => {
    await appendFile(FILE, `- ${note.replaceAll(/\s+/g, " ").trim()}\n`);
    return text(["Added"]);
  });
  return server;
});
