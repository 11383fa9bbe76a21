import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { HotplugError } from "../model/errors.ts";
import { replaceHidden } from "./hidden_characters.ts";

/** Bytes of UTF-8 at most; file systems take 255, a number and an ending must still fit. */
const MAX_NAME_BYTES = 120;

/** Names tried before giving up: `a.png`, `a-2.png`, `a-3.png` … */
const MAX_TRIES = 1000;

/** Names that Windows keeps for devices, with any ending. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** Endings of the media types that servers send most. */
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ["application/json", ".json"],
  ["application/pdf", ".pdf"],
  ["application/zip", ".zip"],
  ["audio/mpeg", ".mp3"],
  ["audio/ogg", ".ogg"],
  ["audio/wav", ".wav"],
  ["image/gif", ".gif"],
  ["image/jpeg", ".jpg"],
  ["image/png", ".png"],
  ["image/svg+xml", ".svg"],
  ["image/webp", ".webp"],
  ["text/html", ".html"],
  ["text/plain", ".txt"],
]);

/**
 * A file name for something a server sent: the last part of its URI or name, without anything
 * that leads out of the folder, hides from the eye or is special to a file system, at most 120
 * bytes. `fallback` is used when nothing is left; an ending is added by media type when the name
 * has none. [E11]
 */
export function safeFileName(
  hint: { readonly from: string; readonly mimeType?: string | null; readonly fallback: string },
): string {
  const clean = cleanName(lastPart(hint.from));
  const name = clean === "" ? hint.fallback : clean;
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? "";
  if (ending !== "" && ending !== name) {
    return `${cutToBytes(name.slice(0, -ending.length), MAX_NAME_BYTES - ending.length)}${ending}`;
  }
  const type = hint.mimeType?.split(";")[0]?.trim().toLowerCase() ?? "";
  const added = ENDINGS.get(type) ?? "";
  return `${cutToBytes(name, MAX_NAME_BYTES - added.length)}${added}`;
}

/**
 * Writes a new file of mode 0600 into a folder that exists. A file, link or folder that is already
 * there stays untouched: the name gets a number instead.
 * @returns The path written.
 * @throws {HotplugError} `write-failed`
 */
export async function saveNewFile(
  folder: string,
  name: string,
  bytes: Uint8Array | string,
): Promise<string> {
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  for (let turn = 1; turn <= MAX_TRIES; turn++) {
    const path = join(folder, turn === 1 ? name : `${stem}-${turn}${ending}`);
    try {
      await writeFile(path, bytes, { flag: "wx", mode: 0o600 });
      return path;
    } catch (thrown) {
      if (thrown instanceof Error && "code" in thrown && thrown.code === "EEXIST") continue;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      throw new HotplugError("write-failed", `Cannot save "${path}": ${reason}`, { cause: thrown });
    }
  }
  throw new HotplugError(
    "write-failed",
    `Cannot save "${join(folder, name)}": ${MAX_TRIES} files of that name exist`,
    { hint: "Choose another folder" },
  );
}

/** The part after the last separator, query and fragment of a URI taken off. */
function lastPart(from: string): string {
  const path = /^[a-z][a-z0-9+.-]+:/i.test(from) ? from.replace(/[?#].*$/s, "") : from;
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // Not percent-encoded after all.
  }
  return decoded.split(/[/\\]/).findLast((part) => part.trim() !== "") ?? "";
}

function cleanName(part: string): string {
  const visible = replaceHidden(part, () => "")
    // deno-lint-ignore no-control-regex -- control characters are what has to go
    .replaceAll(/[\x00-\x1f\x7f-\x9f\u{2028}\u{2029}\p{Surrogate}]/gu, "")
    .replaceAll(/[<>:"|?*]/g, "_")
    .replace(/^[\s.-]+/, "")
    .replace(/[\s.]+$/, "");
  return DEVICE_NAME.test(visible) ? `_${visible}` : visible;
}

function cutToBytes(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, bytes)));
  return text.slice(0, read).trimEnd();
}
