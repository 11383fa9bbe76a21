import process from "node:process";

/** What the SDK-made servers of every era answer to their tool `whoami`. */
export function whoami(era: string): string {
  return `${era} server, process ${process.pid}`;
}

/** Port that an HTTP server of these programs listens on: the second argument, 0 for any. */
export function portArgument(): number {
  const port = Number(process.argv[3] ?? "0");
  return Number.isInteger(port) ? port : 0;
}

/** Says on stdout where an HTTP server can be reached, as the tests expect it: one line. */
export function announce(port: number): void {
  process.stdout.write(`http://127.0.0.1:${port}/mcp\n`);
}
