import type { JsonObject } from "../../../mod.ts";
import { type FixtureTool, text } from "./behaviour.ts";
import { AUDIO, embedded, IMAGE } from "./content.ts";

/** A schema with words of JSON Schema 2020-12 that a server or a gateway could lose. */
const NEWEST_SCHEMA: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

/** The tools that answer without asking anything. */
export const ANSWERING_TOOLS: readonly FixtureTool[] = [
  gives("test_simple_text", "Gives a text", text("This is a simple text response for testing.")),
  gives("test_image_content", "Gives an image", IMAGE),
  gives("test_audio_content", "Gives a sound", AUDIO),
  gives(
    "test_embedded_resource",
    "Gives a resource",
    embedded("test://embedded-resource", "This is an embedded resource content."),
  ),
  gives(
    "test_multiple_content_types",
    "Gives a text, an image and a resource",
    text("Multiple content types test:"),
    IMAGE,
    embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json"),
  ),
  {
    name: "test_error_handling",
    description: "Fails always",
    run(): never {
      throw new Error("This tool intentionally returns an error for testing");
    },
  },
  {
    name: "test_tool_with_logging",
    description: "Writes three log lines",
    async run(_args, work): Promise<readonly JsonObject[]> {
      for (const stage of ["execution started", "processing data", "execution completed"]) {
        await work.log(`Tool ${stage}`);
      }
      return [text("Logged")];
    },
  },
  {
    name: "test_logging_tool",
    description: "Writes a log line",
    async run(_args, work): Promise<readonly JsonObject[]> {
      await work.log("Logging tool called");
      return [text("Logged")];
    },
  },
  {
    name: "test_tool_with_progress",
    description: "Reports its progress three times",
    async run(_args, work): Promise<readonly JsonObject[]> {
      for (const done of [0, 50, 100]) await work.progress(done);
      return [text("Done")];
    },
  },
  {
    name: "test_reconnection",
    description: "Ends the stream of its answer before it has come",
    run(_args, work): readonly JsonObject[] {
      work.hangUp();
      return [text("Reconnected")];
    },
  },
  {
    name: "test_trigger_tool_change",
    description: "Adds a tool, or takes it away again",
    run(_args, work): readonly JsonObject[] {
      work.change("tools");
      return [text("Changed")];
    },
  },
  {
    name: "test_trigger_prompt_change",
    description: "Adds a prompt, or takes it away again",
    run(_args, work): readonly JsonObject[] {
      work.change("prompts");
      return [text("Changed")];
    },
  },
  {
    name: "test_custom_header",
    description: "Has a parameter that stands in a header too",
    inputSchema: {
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
      required: ["region"],
    },
    run: ({ region }) => [text(`Region ${region}`)],
  },
  {
    ...gives("json_schema_2020_12_tool", "Has a schema of JSON Schema 2020-12", text("Valid")),
    inputSchema: NEWEST_SCHEMA,
  },
];

/** A tool that gives always the same. */
function gives(
  name: string,
  description: string,
  ...content: readonly JsonObject[]
): FixtureTool {
  return { name, description, run: () => content };
}
