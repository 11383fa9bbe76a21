import { closeSync, fchmodSync, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A key as its file holds it: 32 bytes in hexadecimal. */
const KEY_TEXT = /^[0-9a-f]{64}$/;

/** Reading or making a key once a process and folder is enough. */
const keys = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/**
 * The secret key by which this user's digests of secrets are made, 32 bytes. It is made at its
 * first use, in the file `cache-key` (0600), under a lock: processes that start at once agree on
 * one. A file that holds something else is replaced; one that others may read is closed to them.
 * Where no file can be kept the key lasts as long as the process: nothing is found again then, and
 * nothing is given away. Never rejects.
 * @param folder Hotplug's state folder.
 */
export function secretKey(folder: string): Promise<Uint8Array<ArrayBuffer>> {
  let key = keys.get(folder);
  if (key === undefined) {
    key = loadKey(join(folder, "cache-key"));
    keys.set(folder, key);
  }
  return key;
}

/** Reads a key file, or makes it. Never rejects. */
export async function loadKey(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const known = readKey(path);
  if (known !== null) return bytesOf(known);
  const made = bytesText(crypto.getRandomValues(new Uint8Array(32)));
  let agreed = made;
  try {
    // Loaded here, since a key is made once on a machine.
    const { updatePrivateFile } = await import("../platform/private_file.ts");
    await updatePrivateFile(path, (text) => {
      // Another process may have made it while this one waited for the lock.
      agreed = keyIn(text) ?? made;
      return `${agreed}\n`;
    });
  } catch {
    // Read-only or foreign folder.
  }
  return bytesOf(agreed);
}

/** The key that stands in a file; `null` when there is none. */
function readKey(path: string): string | null {
  try {
    const file = openSync(path, "r");
    try {
      const facts = fstatSync(file);
      if (!facts.isFile() || facts.size > 1024) return null;
      // [H09]: somebody opened it to others after it was made.
      if ((facts.mode & 0o077) !== 0) fchmodSync(file, 0o600);
      return keyIn(readFileSync(file, "utf8"));
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

function keyIn(text: string | null): string | null {
  const key = text?.trim() ?? "";
  return KEY_TEXT.test(key) ? key : null;
}

function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(
    { length: 32 },
    (_, index) => parseInt(key.slice(index * 2, index * 2 + 2), 16),
  );
}

function bytesText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
