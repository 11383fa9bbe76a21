import {
  type Behaviour,
  type Data,
  RawServer,
  type RawTool,
  textResult,
  tool,
} from "./raw_server.ts";

/** One transparent pixel as PNG. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** The behaviour that shows in what `tools/call` gives. */
export const results: Readonly<Record<string, Behaviour>> = {
  /** One tool for each odd kind of result. */
  results(): void {
    const server = new RawServer("results");
    const gives = (name: string, result: Data, listed?: Data): RawTool =>
      tool(name, () => result, listed);
    const outputSchema = {
      type: "object",
      properties: { ship: { type: "string" } },
      required: ["ship"],
    };
    server.tools.push(
      gives("structured-only", { structuredContent: { ship: "x" }, isError: false }),
      gives("structured-array", { ...textResult("[1]"), structuredContent: [1] }),
      gives("schema-no-structured", textResult("only text"), { outputSchema }),
      gives("schema-mismatch", { ...textResult("wrong"), structuredContent: { ship: 7 } }, {
        outputSchema,
      }),
      gives("image", { content: [{ type: "image", mimeType: "image/png", data: PIXEL }] }),
      gives("bad-base64", {
        content: [
          { type: "image", mimeType: "image/png", data: `data:image/png;base64,${PIXEL}` },
          { type: "image", mimeType: "image/png", data: "not base64 at all!" },
        ],
      }),
      gives("audio", { content: [{ type: "audio", mimeType: "audio/wav", data: "UklGRg==" }] }),
      gives("link", {
        content: [{ type: "resource_link", uri: "file:///../../.bashrc", name: "../../.bashrc" }],
      }),
      gives("resource", {
        content: [
          { type: "resource", resource: { uri: "doc://1", text: "" } },
          { type: "resource", resource: { uri: "file:///../../evil.bin", blob: "AAEC" } },
        ],
      }),
      gives("unknown-kind", {
        content: [{ type: "hologram", beam: 7 }, { type: "text", text: "ok" }],
      }),
      gives("nothing", {}),
      gives("is-error", { ...textResult("quota exceeded"), isError: true }),
    );
    server.start();
  },
};
