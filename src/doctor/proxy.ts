import { programName } from "../definitions/program_name.ts";
import { type Finding, listed, NOWHERE } from "./finding.ts";
import type { Subject } from "./subject.ts";

/** Variables that name a proxy, in capitals. */
const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] as const;

/** Programs that are Node.js, or that start it. */
const NODE_PROGRAMS: ReadonlySet<string> = new Set(["node", "npx", "npm", "pnpm", "pnpx", "yarn"]);

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Whether the proxy variables can be understood, agree, leave out this machine, and reach the
 * servers. A value is never shown, as it may hold a password. Pure.
 */
export function proxyFindings(
  subjects: readonly Subject[],
  env: Variables,
): readonly Finding[] {
  const running = subjects.filter(({ wins, launch }) => wins && launch !== null);
  return [
    ...PROXIES.flatMap((name) => [name, name.toLowerCase()]).flatMap((name) =>
      malformed(name, env[name] ?? "")
    ),
    ...[...PROXIES, "NO_PROXY"].flatMap((name) => disagreeing(name, env)),
    ...withoutLocalhost(running, env),
    ...(PROXIES.some((name) => valueOf(name, env) !== "") ? unreached(running, env) : []),
  ];
}

/** A variable's value; the name in small letters wins, as it does with most programs. */
function valueOf(name: string, env: Variables): string {
  const lower = env[name.toLowerCase()] ?? "";
  return lower === "" ? env[name] ?? "" : lower;
}

function malformed(name: string, value: string): readonly Finding[] {
  if (value === "") return [];
  const text = value.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  if (hasScheme && URL.canParse(text) && new URL(text).hostname !== "") {
    const { protocol } = new URL(text);
    if (/^(?:https?|socks[45]?[ah]?):$/.test(protocol)) return [];
  }
  return [proxyFinding(
    "warning",
    hasScheme
      ? `The variable "${name}" holds no address of a proxy`
      : `The variable "${name}" has no "http://" in front, without which many programs refuse it`,
    `Write it as http://host:port`,
  )];
}

function disagreeing(name: string, env: Variables): readonly Finding[] {
  const [upper, lower] = [env[name] ?? "", env[name.toLowerCase()] ?? ""];
  if (upper === "" || lower === "" || upper === lower) return [];
  return [proxyFinding(
    "warning",
    `The variables "${name}" and "${name.toLowerCase()}" differ: which counts depends on the ` +
      "program",
    "Give both the same value, or remove one",
  )];
}

/** Servers of this machine that are asked for through the proxy. */
function withoutLocalhost(running: readonly Subject[], env: Variables): readonly Finding[] {
  const excluded = valueOf("NO_PROXY", env).split(/[\s,]+/).map((host) => host.toLowerCase());
  const local = running.flatMap(({ definition, launch }) => {
    const url = launch?.config.url ?? "";
    if (!URL.canParse(url)) return [];
    const { hostname, protocol } = new URL(url);
    if (!isThisMachine(hostname)) return [];
    const proxy = valueOf(protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY", env);
    const isUsed = proxy !== "" || valueOf("ALL_PROXY", env) !== "";
    return isUsed && !isExcluded(hostname, excluded) ? [{ name: definition.name, hostname }] : [];
  });
  if (local.length === 0) return [];
  const names = local.map(({ name }) => name);
  const [server = null] = names;
  return [{
    ...proxyFinding(
      "warning",
      `A proxy is set, and "NO_PROXY" does not leave out this machine, where ${listed(names)} ` +
        `${names.length === 1 ? "runs" : "run"}`,
      `Add to NO_PROXY: ${[...new Set(local.map(({ hostname }) => hostname))].join(",")}`,
    ),
    server: names.length === 1 ? server : null,
  }];
}

function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" ||
    /^127(?:\.\d+){3}$/.test(hostname);
}

/** Whether an entry of `NO_PROXY` means a host: itself, or a part of its end. */
function isExcluded(hostname: string, excluded: readonly string[]): boolean {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return excluded.some((entry) => {
    const host = entry.replace(/:\d+$/, "").replace(/^\*?\./, "").replace(/^\[|\]$/g, "");
    if (entry === "*" || host === bare || entry === bare) return true;
    return /^127(?:\.\d+){0,3}\/\d+$/.test(host)
      ? bare.startsWith("127.")
      : host !== "" && bare.endsWith(`.${host}`);
  });
}

/** Local servers that do not get the variables, and those whose runtime does not look at them. */
function unreached(running: readonly Subject[], env: Variables): readonly Finding[] {
  const set = [...PROXIES].flatMap((name) => [name, name.toLowerCase()])
    .filter((name) => (env[name] ?? "") !== "");
  const processes = running.flatMap(({ definition, launch }) =>
    launch?.config.command === undefined
      ? []
      : [{ name: definition.name, launch, command: launch.config.command }]
  );
  const without = processes.filter(({ launch }) =>
    set.every((name) => (launch.environment[name] ?? "") === "")
  );
  const blind = processes.filter(({ launch, command }) =>
    !without.some((other) => other.launch === launch) &&
    NODE_PROGRAMS.has(programName(command).toLowerCase()) &&
    !/^(?:1|true)$/i.test(launch.environment["NODE_USE_ENV_PROXY"] ?? "") &&
    !/--use-env-proxy\b/.test(launch.environment["NODE_OPTIONS"] ?? "")
  );
  const about = (servers: typeof processes, message: string, remedy: string): Finding[] => {
    const names = servers.map(({ name }) => name);
    const [server = null] = names;
    if (names.length === 0) return [];
    return [{
      ...proxyFinding("info", message.replace("%", () => listed(names)), remedy),
      server: names.length === 1 ? server : null,
    }];
  };
  return [
    ...about(
      without,
      "A proxy is set, but its variables are not passed on to %",
      `Name ${set[0] ?? "HTTPS_PROXY"} in "inheritEnv" (Codex: "env_vars") of the definition`,
    ),
    ...about(
      blind,
      "A proxy is set, which Node.js does not use by itself in %",
      'If they reach the network: set "NODE_USE_ENV_PROXY" to "1" in "env" (Node.js 22.21, 24 or ' +
        "newer)",
    ),
  ];
}

function proxyFinding(severity: Finding["severity"], message: string, remedy: string): Finding {
  return { check: "proxy", severity, ...NOWHERE, message, remedy };
}
