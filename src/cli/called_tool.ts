import type { ToolInfo } from "../model/listing.ts";
import { NameTable, type ToolAddress } from "../tools/public_name.ts";
import { unknownName } from "./server_choice.ts";

/**
 * The tool that a call names: by its server's own name for it, or by any public name that
 * `mcp tools` shows for it, hashed ones included.
 * @param others Gives the tools of the other servers, which decide which public names are hashed.
 * @throws {HotplugError} `unknown-tool`, with what there is instead.
 */
export async function calledTool(
  name: string,
  { server, tools, others }: {
    readonly server: string;
    readonly tools: readonly ToolInfo[];
    readonly others: () => Promise<readonly ToolAddress[]>;
  },
): Promise<ToolInfo> {
  const own = tools.map((tool) => ({ server, tool: tool.name }));
  const find = (raw: string): ToolInfo | undefined => tools.find((tool) => tool.name === raw);
  const byPublicName = (known: readonly ToolAddress[]): ToolInfo | undefined => {
    const table = new NameTable();
    table.assign(known);
    const address = table.lookup(name);
    return address?.server === server ? find(address.tool) : undefined;
  };
  const found = find(name) ?? byPublicName(own) ?? byPublicName([...own, ...await others()]);
  if (found !== undefined) return found;
  const known = tools.map((tool) => tool.name);
  throw unknownName("tool", name, known, `server "${server}" does not list it`);
}
