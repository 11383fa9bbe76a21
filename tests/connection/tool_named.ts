import type { ToolInfo } from "../../src/model/listing.ts";

/** A tool that takes anything, of a server that need not list it. */
export function toolNamed(name: string): ToolInfo {
  return {
    name,
    title: null,
    description: "",
    inputSchema: { type: "object" },
    outputSchema: null,
    annotations: null,
    raw: {},
  };
}
