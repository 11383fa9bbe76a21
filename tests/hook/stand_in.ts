import type { ServerCommand } from "../harness/servers.ts";
import type { TempHome } from "../harness/temp_home.ts";

/** What a stand-in differs in. */
export interface StandInOptions {
  /** Where it lies below the root of the home. */
  readonly path?: string;
  /** What it answers to `--version --json`. */
  readonly version?: string;
}

/**
 * Writes a program that says that it is Hotplug and is one MCP server whatever it is told to serve:
 * what a hook file meets, without what stands behind it.
 * @returns Its path.
 */
export async function standIn(
  home: TempHome,
  server: ServerCommand,
  options: StandInOptions = {},
): Promise<string> {
  const { path = "bin/hotplug", version = `{"name":"hotplug","version":"0.1.0"}` } = options;
  const words = [server.command, ...server.args].map((word) => `'${word}'`).join(" ");
  const file = await home.write(
    path,
    `#!/bin/sh
case "$*" in
  --version*) echo '${version}'; exit;;
  *"serve --for "*) exec ${words};;
esac
exit 9
`,
  );
  await Deno.chmod(file, 0o755);
  return file;
}
