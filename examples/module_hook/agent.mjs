// deno-lint-ignore-file no-console -- an example
/**
 * The loop of an agent without its model: each line is a tool's name and its arguments as JSON.
 *
 *     mcp hooks install module
 *     node agent.mjs          (or: deno run -A agent.mjs, bun agent.mjs)
 *
 * Type "mcp reload" in another terminal, or change a config file, and the tools change.
 */
import { resolve } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

// In a project of your own: import { openToolset } from "./.hotplug/hooks/mcp_tools.mjs";
const hook = pathToFileURL(resolve(".hotplug/hooks/mcp_tools.mjs"));
const { openToolset } = await import(hook.href);

const toolset = await openToolset({
  onRefresh: (_toolset, { added, removed, changed }) =>
    console.log("The tools are others now:", { added, removed, changed }),
  onStatus: ({ server, state, error }) => {
    if (error !== null) console.log(`${server ?? "mcp"} is ${state}: ${error.message}`);
  },
});
console.log(toolset.tools.map(({ name, description }) => `${name}  ${description}`).join("\n"));

for await (const line of createInterface({ input: process.stdin })) {
  const [name = "", args = "{}"] = line.trim().split(/ (.*)/);
  const { content, isError } = await toolset.call(name, JSON.parse(args));
  console.log(isError ? "Failed:" : "Done:", content);
}
await toolset.close();
