import { withHookHeader } from "../hook_header.ts";
import { COMMON, ENTRIES, IMPORTS } from "./texts.ts";

/** Kinds of hook file that are scripts. */
export type HookFileKind = "module" | "pi" | "omp";

/** What is written into a hook file. */
export interface HookFileOptions {
  /** Absolute command line of the `mcp` that the file starts; empty to look on PATH alone. */
  readonly program: readonly string[];
  /** Version of Hotplug. */
  readonly version: string;
}

/** What the user of each file reads first. */
const INTRODUCTIONS: Readonly<Record<HookFileKind, string>> = {
  module: `// The tools of all MCP servers of a workspace, for an agent of your own:
//
//   import { openToolset } from "./.hotplug/hooks/mcp_tools.mjs";
//
//   const toolset = await openToolset({ onRefresh: (toolset, diff) => { … } });
//   for (const { name, description, parameters, execute } of toolset.tools) { … }
//   const { content, isError } = await toolset.call("mcp_server_tool", { some: "argument" });
//   await toolset.close();
//
// "mcp reload" and changes of your config files take effect while it is open: toolset.tools are the
// current tools, and onRefresh is called. Runs in Node from 20, Deno and Bun.`,
  pi:
    `// Gives pi the tools of all your MCP servers. "mcp reload" and changes of your config files take
// effect in the running session; tools that you switch off stay off.`,
  omp:
    `// Gives oh-my-pi the tools of all your MCP servers. "mcp reload" and changes of your config files
// take effect in the running session; tools that you switch off stay off.`,
};

/**
 * The text of a hook file: one script that needs no packages and runs in Node from 20, Deno and
 * Bun. Its first line tells whether somebody changed it later. Pure.
 */
export function hookFileText(kind: HookFileKind, { program, version }: HookFileOptions): string {
  const body = `//
${INTRODUCTIONS[kind]}
//
// Written by "mcp hooks install ${kind}", which leaves it alone once you have changed it.

${IMPORTS}
/** Version of Hotplug that wrote this file. */
const VERSION = ${JSON.stringify(version)};

/** Command line of the \`mcp\` that wrote this file; empty to look for it on PATH. */
const PROGRAM = /** @type {readonly string[]} */ (${JSON.stringify(program)});

/** What \`mcp serve\` is told that it serves. */
const HOST = ${JSON.stringify(kind)};

${ENTRIES[kind]}
${COMMON}`;
  return withHookHeader(kind, version, body);
}
