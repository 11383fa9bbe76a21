import { HotplugError } from "../model/errors.ts";

/** Headers that belong to the protocol or to the transport, not to a configuration. */
const OWN: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "content-type",
  "host",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
  "transfer-encoding",
]);

/**
 * The configured headers of a server, checked; outer whitespace of the values is cut off, since
 * values read from files and commands end in line breaks.
 * @throws {HotplugError} `config-invalid` that names the header and never its value.
 */
export function configuredHeaders(
  name: string,
  headers: Readonly<Record<string, string>>,
): Headers {
  const checked = new Headers();
  for (const [key, value] of Object.entries(headers)) {
    if (OWN.has(key.toLowerCase())) continue;
    const text = value.trim();
    // What fetch refuses differs between runtimes; these are the rules of RFC 9110 for new fields.
    const sound = /^[\t\x20-\x7e]*$/.test(text);
    try {
      if (sound) {
        checked.set(key, text);
        continue;
      }
    } catch {
      // An invalid name; told below without the value, which the runtime's own message would show.
    }
    throw new HotplugError(
      "config-invalid",
      `Cannot connect to "${name}": header ${JSON.stringify(key)} ${
        sound ? "has an invalid name" : "holds a character that HTTP does not allow"
      }`,
      { hint: "Only printable ASCII characters are allowed in headers" },
    );
  }
  return checked;
}
