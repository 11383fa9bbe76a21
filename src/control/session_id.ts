/** Letters and digits, without those that are taken for others when somebody types them. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

/** Characters of an id: 31^8 of them, for the few that live at once. */
const LENGTH = 8;

/** A name for a session that no other has: eight letters and digits, easy to type. */
export function newSessionId(): string {
  let id = "";
  while (id.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      // Without the rest of a division every character is as likely as any other.
      if (byte < 256 - 256 % ALPHABET.length) id += ALPHABET[byte % ALPHABET.length];
      if (id.length === LENGTH) break;
    }
  }
  return id;
}

/** Whether a text can be a session's id, and so be part of a file's name. */
export function isSessionId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,40}$/.test(text);
}
