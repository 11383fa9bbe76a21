import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { HotplugError } from "../../model/errors.ts";
import type { Machine } from "../../model/machine.ts";
import { errnoOf, errnoText } from "../../platform/errno.ts";
import { updatePrivateFile } from "../../platform/private_file.ts";
import type { Token } from "./principals.ts";

/** Name of the file of the generated token, in the state folder. */
const OWN_FILE = "gateway-token";

/** Who shows the generated token. */
const OWN_PRINCIPAL = "local";

/** Bytes of a generated token. */
const OWN_BYTES = 32;

/** How to make a token. */
const NEW_TOKEN = "To make one: openssl rand -base64 32";

/** Most bytes of a token file. */
const LONGEST_FILE = 1024 * 1024;

/** What a header can carry as a token. A shorter one could be guessed. */
const TOKEN = /^[A-Za-z0-9\-._~+/]{16,}=*$/;

/** What somebody can be called. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

/**
 * The tokens of a file: one a line, alone or after the name of who shows it; a line that begins with
 * `#` is a comment. Lines of one name are one principal.
 * @throws {HotplugError} `config-unreadable` when it cannot be read, or others can read it, too;
 * `config-malformed`.
 */
export async function tokensOf(path: string, machine: Machine): Promise<readonly Token[]> {
  return parseTokens(await readGuarded(path, machine), path);
}

/**
 * The generated token of this user, in a file of its own (0600) in the state folder. It is made at
 * its first use and stays the same.
 * @throws {HotplugError} `write-failed`; `config-unreadable` when others can read it, too;
 * `config-malformed`.
 */
export async function ownToken(
  folder: string,
  machine: Machine,
): Promise<{ readonly path: string; readonly tokens: readonly Token[] }> {
  const path = join(folder, OWN_FILE);
  await updatePrivateFile(path, (text) => text ?? `${newToken()}\n`);
  const [first] = parseTokens(await readGuarded(path, machine), path);
  return {
    path,
    tokens: first === undefined ? [] : [{ principal: OWN_PRINCIPAL, token: first.token }],
  };
}

function newToken(): string {
  return randomBytes(OWN_BYTES).toString("base64url");
}

/** The tokens in a text. Pure. @throws {HotplugError} `config-malformed`, without any token. */
export function parseTokens(text: string, path: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const words = line.trim().split(/\s+/);
    if (line.trim() === "" || line.trim().startsWith("#")) continue;
    const token = words.at(-1) ?? "";
    // No name has this form, so that nobody can be taken for somebody else.
    const principal = words.length === 1 ? `#${index + 1}` : words[0] ?? "";
    if (words.length > 2) throw malformed(path, index, 'write "token" or "name token"');
    if (words.length === 2 && !NAME.test(principal)) {
      throw malformed(path, index, "a name has at most 64 of A-Z a-z 0-9 . _ @ -, no sign first");
    }
    if (!TOKEN.test(token)) {
      throw malformed(path, index, "a token has at least 16 of A-Z a-z 0-9 - . _ ~ + /", NEW_TOKEN);
    }
    if (tokens.some((other) => other.token === token)) {
      throw malformed(path, index, "the same token stands above");
    }
    tokens.push({ principal, token });
  }
  if (tokens.length > 0) return tokens;
  throw new HotplugError("config-malformed", `Cannot use "${path}": it holds no token`, {
    hint: `Write one token a line. ${NEW_TOKEN}`,
  });
}

function malformed(
  path: string,
  index: number,
  why: string,
  hint: string | null = null,
): HotplugError {
  return new HotplugError("config-malformed", `Cannot use "${path}": line ${index + 1}: ${why}`, {
    hint,
  });
}

/** Reads a file that nobody else may read. */
async function readGuarded(path: string, machine: Machine): Promise<string> {
  let file: FileHandle | null = null;
  try {
    // A pipe would keep the start waiting.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const problem = problemOf(await file.stat(), machine);
    if (problem !== null) throw unreadable(path, problem.why, problem.hint);
    return await file.readFile("utf8");
  } catch (thrown) {
    if (thrown instanceof HotplugError) throw thrown;
    throw unreadable(
      path,
      errnoText(thrown),
      errnoOf(thrown) === "ENOENT"
        ? `Write one token a line into it, alone or after a name, and chmod 600. ${NEW_TOKEN}`
        : null,
    );
  } finally {
    await file?.close();
  }
}

function problemOf(
  stats: Stats,
  { platform, uid }: Machine,
): { readonly why: string; readonly hint: string | null } | null {
  if (!stats.isFile()) return { why: "it is no file", hint: null };
  if (stats.size > LONGEST_FILE) return { why: "it is larger than 1 MiB", hint: null };
  if (platform === "win32") return null;
  if ((stats.mode & 0o077) !== 0) {
    return {
      why: "others can read or write it",
      hint: "Take that from them: chmod 600, and use new tokens if somebody may have read them",
    };
  }
  if (uid !== null && stats.uid !== uid && stats.uid !== 0) {
    return { why: "it belongs to somebody else", hint: null };
  }
  return null;
}

function unreadable(path: string, why: string, hint: string | null): HotplugError {
  return new HotplugError("config-unreadable", `Cannot read tokens from "${path}": ${why}`, {
    hint,
  });
}
