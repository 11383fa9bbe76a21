/** What the system's error names mean, for those that users meet. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ["E2BIG", "arguments and environment are too long"],
  ["EACCES", "permission denied"],
  ["EAGAIN", "too many processes"],
  ["EBUSY", "it is in use"],
  ["EISDIR", "it is a folder"],
  ["ELOOP", "its links lead to each other"],
  ["EMFILE", "too many open files"],
  ["ENAMETOOLONG", "the path is too long"],
  ["ENFILE", "too many open files"],
  ["ENOENT", "it does not exist"],
  ["ENOEXEC", "it is not a program"],
  ["ENOMEM", "not enough memory"],
  ["ENOSPC", "the disk is full"],
  ["ENOTDIR", "a part of the path is not a folder"],
  ["EPERM", "permission denied"],
  ["EROFS", "the disk is read-only"],
]);

/** The system's name of an error, such as `ENOENT`; `null` when it has none. */
export function errnoOf(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !("code" in thrown)) return null;
  return typeof thrown.code === "string" ? thrown.code : null;
}

/**
 * A failure of the system in words, with its name for a search: `permission denied (EACCES)`.
 * Reads on after a colon. An unknown error speaks for itself.
 */
export function errnoText(thrown: unknown): string {
  const errno = errnoOf(thrown);
  const meaning = errno === null ? undefined : MEANINGS.get(errno);
  if (meaning !== undefined) return `${meaning} (${errno})`;
  return thrown instanceof Error && thrown.message !== "" ? thrown.message : String(thrown);
}
