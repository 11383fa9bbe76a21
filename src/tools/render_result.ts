import { toHotplugError } from "../model/errors.ts";
import type { ToolInfo } from "../model/listing.ts";
import type { CallToolResult, ToolContent, ToolResult } from "../model/tool.ts";
import { capText } from "./capped_text.ts";
import { modelText } from "./model_text.ts";
import { outputWarning } from "./output_check.ts";
import { renderContent } from "./render_content.ts";
import { writeSpill } from "./spill_file.ts";
import { jsonText, textSays } from "./structured_text.ts";

/** Bytes of text that a model gets of one result: 50 KB, some 12,000 tokens. */
export const MAX_RESULT_TEXT: number = 50 * 1024;

/** How results are rendered. */
export interface RenderOptions {
  /** Hotplug's cache folder, for texts that are too long; `null`: what is cut is not kept. */
  readonly cacheFolder: string | null;
  /** Bytes of text at most. Default {@linkcode MAX_RESULT_TEXT}. */
  readonly maxTextBytes?: number;
}

/**
 * A server's answer as an agent gets it. Every kind of content is kept, the structured result is
 * added when no text says it, warnings follow as `Note:` texts, and a failure that the tool itself
 * reports starts with `MCP error:`. Never throws.
 */
export async function renderResult(
  server: string,
  tool: ToolInfo,
  result: CallToolResult,
  options: RenderOptions,
): Promise<ToolResult> {
  const rendered = renderContent(result.content);
  const notes = [...rendered.warnings, ...await structureNotes(tool, result)];
  const content = [...rendered.content, ...structuredContent(result, rendered.content)];
  if (result.isError) markAsError(server, tool, content);
  else if (content.length === 0) content.push({ type: "text", text: "(no content)" });
  const capped = capText(content, options.maxTextBytes ?? MAX_RESULT_TEXT);
  let spillFile: string | null = null;
  if (capped.whole !== null) {
    const shown = `The text was cut: ${capped.kept} of ${capped.total} bytes are shown`;
    try {
      if (options.cacheFolder !== null) {
        spillFile = await writeSpill(options.cacheFolder, capped.whole);
      }
      notes.push(
        spillFile === null ? `${shown}.` : `${shown}. The whole text is in "${spillFile}".`,
      );
    } catch (thrown) {
      notes.push(`${shown}, and the rest could not be kept: ${toHotplugError(thrown).message}.`);
    }
  }
  return {
    content: [
      ...capped.content,
      ...notes.map((note): ToolContent => ({ type: "text", text: `Note: ${note}` })),
    ],
    isError: result.isError,
    details: { server, tool: tool.name, result: result.raw, spillFile },
  };
}

/** The structured result as JSON, unless a text says the same. [E01] [E02] */
function structuredContent(
  { structuredContent: value }: CallToolResult,
  content: readonly ToolContent[],
): readonly ToolContent[] {
  if (value === undefined) return [];
  const texts = content.flatMap((piece) => piece.type === "text" ? [piece.text] : []);
  return textSays(texts, value) ? [] : [{ type: "text", text: modelText(jsonText(value)) }];
}

/** What is odd about the structured result; a failed call owes none. [E04] */
async function structureNotes(tool: ToolInfo, result: CallToolResult): Promise<string[]> {
  if (tool.outputSchema === null || result.isError) return [];
  if (result.structuredContent === undefined) {
    return ["The tool declares a structured result, but gave none."];
  }
  const warning = await outputWarning(tool.outputSchema, result.structuredContent);
  return warning === null ? [] : [warning];
}

/** Puts in front that the call failed, and where. */
function markAsError(server: string, tool: ToolInfo, content: ToolContent[]): void {
  const head = `MCP error: tool "${modelText(tool.name)}" of server "${modelText(server)}" failed`;
  const first = content[0];
  if (first?.type === "text") content[0] = { type: "text", text: `${head}: ${first.text}` };
  else content.unshift({ type: "text", text: head });
}
