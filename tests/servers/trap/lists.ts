import { readFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Behaviour,
  type Data,
  ErrorAnswer,
  goodTools,
  RawServer,
  type RawTool,
  SILENCE,
  textResult,
  tool,
} from "./raw_server.ts";

/** So many tools named `<prefix><number>`, as listed. */
function numbered(prefix: string, from: number, count: number): Data[] {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index;
    return {
      name: `${prefix}${number}`,
      description: `Tool number ${number}`,
      inputSchema: { type: "object", properties: {} },
    };
  });
}

/** A server whose `tools/list` gives what a function of the cursor gives. */
function listing(name: string, list: (cursor: string | undefined) => unknown): void {
  const server = new RawServer(name);
  server.handlers.set("tools/list", (params) => list(params["cursor"] as string | undefined));
  server.handlers.set("tools/call", (params) => textResult(`called ${params["name"]}`));
  server.start();
}

/** A server that offers the good tools and these. */
function offering(name: string, tools: readonly RawTool[]): void {
  const server = new RawServer(name);
  server.tools.push(...tools);
  server.start();
}

/** Behaviours that show in lists, by name. */
export const lists: Readonly<Record<string, Behaviour>> = {
  /** Never answers `tools/list`. */
  "hang-list": () => listing("hang-list", () => SILENCE),

  /** Answers `tools/list` with an error. */
  "list-error": () =>
    listing("list-error", () => {
      throw new ErrorAnswer(-32603, "fetch failed");
    }),

  /** Declares no tools at all. */
  "no-tools"(): void {
    const server = new RawServer("no-tools", {});
    server.handlers.delete("tools/list");
    server.start();
  },

  /**
   * Offers a tool for each line of the file that the variable LINES names, without a word when that
   * changes; a file that says `hang` is never answered, one that says `fail` is an error.
   */
  "lines-of": () =>
    listing("lines-of", () => {
      const lines = readFileSync(process.env["LINES"] ?? "", "utf8").split("\n").filter((line) =>
        line !== ""
      );
      if (lines[0] === "hang") return SILENCE;
      if (lines[0] === "fail") throw new ErrorAnswer(-32603, "no list today");
      const inputSchema = { type: "object", properties: {} };
      return { tools: lines.map((name) => ({ name, description: `Tool ${name}`, inputSchema })) };
    }),

  /** Declares tools and has none. */
  "zero-tools": () => listing("zero-tools", () => ({ tools: [] })),

  /** Declares every list and answers all but tools with "method not found". */
  "optional-lists"(): void {
    new RawServer("optional-lists", { tools: {}, resources: {}, prompts: {} })
      .start();
  },

  /** Always another cursor, never another tool. */
  "endless-cursor"(): void {
    let page = 0;
    listing("endless-cursor", () => ({ tools: numbered("t", 1, 2), nextCursor: `c${++page}` }));
  },

  /** Always the same cursor, never another tool. */
  "same-cursor": () =>
    listing("same-cursor", () => ({ tools: numbered("t", 1, 2), nextCursor: "again" })),

  /** Three pages behind one and the same cursor: the server keeps the place. */
  "stuck-cursor"(): void {
    let page = 0;
    listing("stuck-cursor", (cursor) => {
      if (cursor === undefined) page = 0;
      page += 1;
      return {
        tools: numbered("t", page * 2 - 1, 2),
        ...(page < 3 ? { nextCursor: "next" } : {}),
      };
    });
  },

  /** So many tools over so many pages. */
  pages(tools = "5000", pages = "50"): void {
    const size = Number(tools) / Number(pages);
    listing("pages", (cursor = "0") => {
      const page = Number(cursor);
      return {
        tools: numbered("t", page * size + 1, size),
        ...(page + 1 < Number(pages) ? { nextCursor: String(page + 1) } : {}),
      };
    });
  },

  /** The second page is an error. */
  "broken-page": () =>
    listing("broken-page", (cursor) => {
      if (cursor !== undefined) throw new ErrorAnswer(-32603, "Cursor lost");
      return { tools: numbered("t", 1, 2), nextCursor: "2" };
    }),

  /** Broken tools among good ones. */
  "bad-tool"(): void {
    offering("bad-tool", [
      tool("no-schema", () => textResult("called"), { inputSchema: undefined }),
      tool("empty-schema", () => textResult("called"), { inputSchema: {} }),
      tool("null-description", () => textResult("called"), { description: null }),
      tool("odd-keywords", () => textResult("called"), {
        inputSchema: {
          type: "object",
          properties: { n: { type: "integer", format: "uint64", "x-order": 1 } },
        },
      }),
      { listed: { description: "has no name" }, run: () => ({}) },
      { listed: "not even an object", run: () => ({}) },
    ]);
  },

  /** The same name twice: once the same tool, once another. */
  "dup-tools"(): void {
    const [echo, add] = goodTools();
    offering("dup-tools", [
      echo,
      tool("add", () => textResult("the other add"), { description: "Another add" }),
      { ...add, listed: { ...add.listed as Data, name: "last" } },
    ]);
  },

  /** Output schemas that nothing can compile. */
  "dangling-schema"(): void {
    offering("dangling-schema", [
      tool("dangling", () => ({ ...textResult("fine"), structuredContent: { s: 1 } }), {
        outputSchema: { type: "object", properties: { s: { $ref: "#/$defs/Missing" } } },
      }),
      tool("untyped", () => textResult("fine"), { outputSchema: { $id: "x", description: "d" } }),
      tool("recursive", () => textResult("fine"), {
        inputSchema: {
          type: "object",
          properties: { tree: { $ref: "#/$defs/Tree" } },
          $defs: { Tree: { type: "object", properties: { next: { $ref: "#/$defs/Tree" } } } },
        },
      }),
    ]);
  },

  /** Names that no model vendor takes as they are. */
  "odd-names"(): void {
    offering(
      "odd-names",
      [
        "admin.tools/list",
        "получить_данные",
        "with space",
        "__proto__",
        "constructor",
        "a".repeat(120),
      ].map((name) => tool(name, () => textResult(`called ${name}`))),
    );
  },

  /** Descriptions that carry more than they show, one of them very long. */
  "hidden-text"(): void {
    offering("hidden-text", [
      tool("tagged", () => textResult("ok"), {
        description: "Plain\u{E0041}\u{E0042}\u202E\u200B text",
      }),
      tool("long", () => textResult("ok"), { description: "long ".repeat(40_000) }),
      tool("escape", () => textResult("\u001b]0;owned\u0007\u001b[31mred"), {
        description: "\u001b[2Jclears the screen",
      }),
    ]);
  },

  /**
   * Says so many times within so many milliseconds that its list has changed, which it has, when
   * its tool `storm` is called; `version_<n>` tells how often it has, `reads` how often it was read.
   */
  changing(times = "10000", ms = "2500"): void {
    const server = new RawServer("changing");
    let version = 0;
    let reads = 0;
    server.wrap("tools/list", (usual) => {
      reads++;
      const { tools } = usual() as { readonly tools: readonly unknown[] };
      return { tools: [...tools, ...numbered("version_", version, 1)] };
    });
    const storm = async (): Promise<Data> => {
      const begun = performance.now();
      while (version < Number(times)) {
        const due = Math.ceil(Number(times) * (performance.now() - begun) / Number(ms));
        while (version < Math.min(due, Number(times))) {
          version++;
          server.send({ method: "notifications/tools/list_changed" });
        }
        await sleep(10);
      }
      return textResult(`version_${version}`);
    };
    server.tools.push(tool("storm", storm), tool("reads", () => textResult(String(reads))));
    server.start();
  },

  /** Offers the tool `late` so many milliseconds after the handshake and says so. */
  grows(ms = "2000"): void {
    const server = new RawServer("grows");
    server.handlers.set("notifications/initialized", async () => {
      await sleep(Number(ms));
      server.tools.push(tool("late", () => textResult("here now")));
      server.send({ method: "notifications/tools/list_changed" });
    });
    server.start();
  },
};
