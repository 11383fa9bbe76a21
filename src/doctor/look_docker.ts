import { createConnection } from "node:net";
import { join } from "node:path";
import { programName } from "../definitions/program_name.ts";
import type { JsonValue } from "../model/json.ts";
import { isJsonObject } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import { errnoOf } from "../platform/errno.ts";
import { readTextNow } from "../platform/text_file.ts";
import { sha256HexNow } from "../tools/sha256.ts";
import type { DaemonAnswer, DaemonFacts } from "./docker.ts";
import type { Subject } from "./subject.ts";

/** How long the daemon may take to accept a connection, in milliseconds. */
const KNOCK_MS = 1_000;

/**
 * Looks for the daemons of the servers that are started by `docker`. No program is started and
 * nothing is sent: a connection to a socket of this machine is opened and closed again. A daemon
 * elsewhere (`tcp:`, `ssh:`) is not looked for.
 */
export async function lookForDocker(
  subjects: readonly Subject[],
  machine: Machine,
): Promise<readonly DaemonFacts[]> {
  const users = new Map<string, string[]>();
  for (const { definition, launch, program, wins } of subjects) {
    if (!wins || launch === null || program === null || program.path === null) continue;
    if (programName(program.path) !== "docker") continue;
    const socket = socketOf(daemonAddress(launch.environment, machine));
    if (socket === null) continue;
    const names = users.get(socket);
    if (names === undefined) users.set(socket, [definition.name]);
    else names.push(definition.name);
  }
  return await Promise.all([...users].map(async ([socket, servers]) => ({
    socket,
    servers,
    answer: await knock(socket),
  })));
}

/** Where the command `docker` finds its daemon, as it decides it itself. */
export function daemonAddress(
  env: Readonly<Record<string, string | undefined>>,
  machine: Pick<Machine, "home" | "platform">,
): string {
  const host = env["DOCKER_HOST"] ?? "";
  if (host !== "") return host;
  const named = env["DOCKER_CONFIG"] ?? "";
  const folder = named === "" ? join(machine.home, ".docker") : named;
  const chosen = env["DOCKER_CONTEXT"] ?? "";
  const context = chosen === "" ? textAt(join(folder, "config.json"), "currentContext") : chosen;
  if (context !== null && context !== "" && context !== "default") {
    const meta = join(folder, "contexts", "meta", sha256HexNow(context), "meta.json");
    const address = textAt(meta, "Endpoints", "docker", "Host");
    if (address !== null) return address;
  }
  return machine.platform === "win32"
    ? "npipe:////./pipe/docker_engine"
    : "unix:///var/run/docker.sock";
}

/** The socket or pipe of an address; `null` for one of the network. */
export function socketOf(address: string): string | null {
  const [, scheme, path = ""] = /^(unix|npipe):\/\/(.*)$/.exec(address) ?? [];
  if (scheme === undefined || path === "") return null;
  if (scheme === "unix") return path;
  // A pipe of another machine would be the network.
  return /^\/\/\.\/pipe\//.test(path) ? path.replaceAll("/", "\\") : null;
}

/** The text under some keys of a JSON file; `null` when there is none. */
function textAt(path: string, ...keys: readonly string[]): string | null {
  const file = readTextNow(path, { maxBytes: 1024 * 1024 });
  if (file.state !== "loaded") return null;
  try {
    let value = JSON.parse(file.text) as JsonValue | undefined;
    for (const key of keys) value = isJsonObject(value) ? value[key] : undefined;
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}

/** Opens a connection and closes it at once. Never rejects. */
export function knock(socket: string, limitMs: number = KNOCK_MS): Promise<DaemonAnswer> {
  return new Promise((resolve) => {
    const connection = createConnection({ path: socket });
    const end = (answer: DaemonAnswer): void => {
      clearTimeout(timer);
      connection.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => end("silent"), limitMs);
    connection.once("connect", () => end("answers"));
    connection.on("error", (thrown) => end(answerOf(errnoOf(thrown))));
  });
}

function answerOf(errno: string | null): DaemonAnswer {
  if (errno === "ENOENT" || errno === "ENOTDIR") return "absent";
  if (errno === "EACCES" || errno === "EPERM") return "forbidden";
  return "refused";
}
