import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.ts";

/** Gives the host's URI of a resource that a server names. */
export type Rename = (uri: string) => string;

/**
 * A result with the URIs of the resources that it links or embeds under their names for the host:
 * of a tool (`content`), of a prompt (`messages`), or of a read (`contents`). Nothing else changes, and
 * where no URI does the same object comes back. Pure but for `rename`.
 */
export function withRenamedLinks(result: JsonObject, rename: Rename): JsonObject {
  let renamed = result;
  renamed = withItems(renamed, "content", (block) => renamedBlock(block, rename));
  renamed = withItems(renamed, "contents", (contents) => renamedUri(contents, rename));
  return withItems(renamed, "messages", (message) => {
    const { content } = message;
    if (Array.isArray(content)) {
      return withItems(message, "content", (block) => renamedBlock(block, rename));
    }
    if (!isJsonObject(content)) return message;
    const block = renamedBlock(content, rename);
    return block === content ? message : { ...message, content: block };
  });
}

function renamedBlock(block: JsonObject, rename: Rename): JsonObject {
  if (block["type"] === "resource_link") return renamedUri(block, rename);
  const { type, resource } = block;
  if (type !== "resource" || !isJsonObject(resource)) return block;
  const embedded = renamedUri(resource, rename);
  return embedded === resource ? block : { ...block, resource: embedded };
}

function renamedUri(holder: JsonObject, rename: Rename): JsonObject {
  const { uri } = holder;
  if (typeof uri !== "string") return holder;
  const name = rename(uri);
  return name === uri ? holder : { ...holder, uri: name };
}

/** An object with each object in one of its lists changed; the same when none is. */
function withItems(
  holder: JsonObject,
  key: string,
  change: (item: JsonObject) => JsonObject,
): JsonObject {
  const items = holder[key];
  if (!Array.isArray(items)) return holder;
  let isChanged = false;
  const changed = (items as readonly JsonValue[]).map((item) => {
    if (!isJsonObject(item)) return item;
    const next = change(item);
    if (next !== item) isChanged = true;
    return next;
  });
  return isChanged ? { ...holder, [key]: changed } : holder;
}
