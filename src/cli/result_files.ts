import { mkdir } from "node:fs/promises";
import { HotplugError, toHotplugError } from "../model/errors.ts";
import { base64Bytes } from "../tools/base64_data.ts";
import { safeFileName, saveNewFile } from "../tools/saved_file.ts";
import type { ResultPiece } from "./result_text.ts";

/**
 * Saves the bytes in a tool's answer as new files in a folder, which is made when it is not there.
 * Names come from the server only as far as they are harmless; nothing is overwritten.
 * @returns Per piece the path written, or `null` for text and for what is no base64.
 * @throws {HotplugError} `write-failed`
 */
export async function saveFiles(
  pieces: readonly ResultPiece[],
  folder: string,
): Promise<readonly (string | null)[]> {
  const paths: (string | null)[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind !== "file" || piece.data === null) {
      paths.push(null);
      continue;
    }
    const { from, mimeType, label, data } = piece;
    const name = safeFileName({ from, mimeType, fallback: `${label}-${index + 1}` });
    await makeFolder(folder);
    paths.push(await saveNewFile(folder, name, base64Bytes(data)));
  }
  return paths;
}

/** Makes a folder and those above it. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    const { message } = toHotplugError(cause);
    throw new HotplugError("write-failed", `Cannot make folder "${folder}": ${message}`, { cause });
  }
}
