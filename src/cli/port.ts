/**
 * Reads the number of a port.
 * @throws {SyntaxError} When it is none of 0 to 65535.
 */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new SyntaxError(`"${text}" is no port; it is a number from 0 to 65535`);
}
