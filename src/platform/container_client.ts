/** Programs that run another one in a container and pass signals on to it. */
const CLIENTS: ReadonlySet<string> = new Set([
  "docker",
  "podman",
  "nerdctl",
  "finch",
  "container",
]);

/**
 * Whether a program is the client of a container engine. What it runs is no child of it: the end of
 * stdin and SIGTERM reach the container through the client, and when that is killed it lives on.
 */
export function isContainerClient(program: string): boolean {
  const name = program.split(/[\\/]/).at(-1) ?? "";
  return CLIENTS.has(name.toLowerCase().replace(/\.exe$/, ""));
}
