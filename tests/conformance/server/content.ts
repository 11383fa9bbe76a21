import type { JsonObject } from "../../../mod.ts";

/** A PNG of one red pixel, in base64. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

/** A WAV of no samples, in base64. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

/** An image, as content. */
export const IMAGE: JsonObject = { type: "image", data: PNG, mimeType: "image/png" };

/** A sound, as content. */
export const AUDIO: JsonObject = { type: "audio", data: WAV, mimeType: "audio/wav" };

/** A text that stands in a resource of its own, as content. */
export function embedded(uri: string, words: string, mimeType = "text/plain"): JsonObject {
  return { type: "resource", resource: { uri, mimeType, text: words } };
}

/** The resources that the fixtures list. */
export const RESOURCES: readonly JsonObject[] = [
  {
    uri: "test://static-text",
    name: "static-text",
    description: "A text that never changes",
    mimeType: "text/plain",
  },
  {
    uri: "test://static-binary",
    name: "static-binary",
    description: "An image that never changes",
    mimeType: "image/png",
  },
  {
    uri: "test://watched-resource",
    name: "watched-resource",
    description: "A text to subscribe to",
    mimeType: "text/plain",
  },
];

/** The resource templates that the fixtures list. */
export const TEMPLATES: readonly JsonObject[] = [{
  uriTemplate: "test://template/{id}/data",
  name: "template",
  description: "The data of an id",
  mimeType: "application/json",
}];

/** What a resource holds; `undefined` when there is none of that URI. */
export function contentsOf(uri: string): JsonObject | undefined {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { uri, mimeType: "application/json", text: JSON.stringify(data) };
  }
  switch (uri) {
    case "test://static-text":
      return {
        uri,
        mimeType: "text/plain",
        text: "This is the content of the static text resource.",
      };
    case "test://static-binary":
      return { uri, mimeType: "image/png", blob: PNG };
    case "test://watched-resource":
      return { uri, mimeType: "text/plain", text: "Watched" };
    default:
      return undefined;
  }
}

/** What an argument may be completed to. */
export function completionOf(value: string): JsonObject {
  const values = ["test", "testValue1", "testValue2"].filter((word) => word.startsWith(value));
  return { values, total: values.length, hasMore: false };
}
