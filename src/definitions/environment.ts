import type { ResolvedConfig, ServerConfig } from "../model/definition.ts";
import type { EnvironmentPolicy } from "../model/source.ts";
import { inheritedNames } from "./config_reads.ts";

/** What any program needs to run, and what network access and text need; no socket of an agent. */
const SAFE: readonly string[] = [
  "HOME",
  "PATH",
  "SHELL",
  "USER",
  "LOGNAME",
  "TERM",
  "COLORTERM",
  "TZ",
  "LANG",
  "LANGUAGE",
  "TMPDIR",
  "TMP",
  "TEMP",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "FTP_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "ftp_proxy",
  "no_proxy",
  "NODE_USE_ENV_PROXY",
  "NODE_EXTRA_CA_CERTS",
  "NODE_USE_SYSTEM_CA",
  "DENO_CERT",
  "DENO_TLS_CA_STORE",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "AWS_CA_BUNDLE",
  "GIT_SSL_CAINFO",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_DIRS",
  "XDG_DATA_DIRS",
  "__CF_USER_TEXT_ENCODING",
];

/** What a server that the user wrote down may have beyond that: sockets of agents and the screen. */
const BASE: readonly string[] = [
  ...SAFE,
  "XDG_RUNTIME_DIR",
  "SSH_AUTH_SOCK",
  "SSH_AGENT_PID",
  "GPG_AGENT_INFO",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XAUTHORITY",
];

/** What Codex lets its servers inherit; of the locale it passes no more than this. */
const CODEX: readonly string[] = [
  "HOME",
  "LOGNAME",
  "PATH",
  "SHELL",
  "USER",
  "__CF_USER_TEXT_ENCODING",
  "LANG",
  "LC_ALL",
  "TERM",
  "TMPDIR",
  "TZ",
];

/** Without these Windows programs do not start or do not find their folders. */
const WINDOWS: readonly string[] = [
  "ALLUSERSPROFILE",
  "APPDATA",
  "COMMONPROGRAMFILES",
  "COMMONPROGRAMFILES(X86)",
  "COMMONPROGRAMW6432",
  "COMPUTERNAME",
  "COMSPEC",
  "HOMEDRIVE",
  "HOMEPATH",
  "LOCALAPPDATA",
  "NUMBER_OF_PROCESSORS",
  "OS",
  "PATHEXT",
  "PROCESSOR_ARCHITECTURE",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "PROGRAMFILES(X86)",
  "PROGRAMW6432",
  "PSMODULEPATH",
  "PUBLIC",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "TMP",
  "USERDOMAIN",
  "USERNAME",
  "USERPROFILE",
  "WINDIR",
];

/** The chain of gateways that a process runs under; without it a loop could not be seen. */
const CHAIN = "HOTPLUG_CHAIN";

/**
 * The whole environment of a stdio server's process: what it inherits, and over that its own
 * `env`, where `null` unsets a variable and an empty text stays.
 *
 * `inheritEnv: true` inherits everything, `false` at most the base set, a list these variables more.
 * Hotplug's own variables are never inherited but for the chain of gateways, and `HOTPLUG_TRUST`
 * cannot be given at all: who may run is for the user alone to say. Functions of a shell are not
 * passed on.
 */
export function serverEnvironment(
  policy: EnvironmentPolicy,
  config: ResolvedConfig,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const isWindows = Object.keys(env).some((name) => name.toUpperCase() === "SYSTEMROOT");
  const allows = inheritance(
    effectivePolicy(policy, config.inheritEnv),
    inheritedNames(config),
    isWindows,
  );
  const result = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && isPassable(name, value) && allows(name)) result.set(name, value);
  }
  for (const [name, value] of Object.entries(config.env)) {
    if (isWindows) unsetAnyCase(result, name);
    if (value === null) result.delete(name);
    else result.set(name, value);
  }
  unsetAnyCase(result, "HOTPLUG_TRUST");
  return Object.fromEntries(result);
}

function effectivePolicy(
  policy: EnvironmentPolicy,
  inheritEnv: ServerConfig["inheritEnv"],
): EnvironmentPolicy {
  if (inheritEnv === true) return "all";
  return inheritEnv === false && policy === "all" ? "base" : policy;
}

/** The names that each policy but `all` lets through. */
const INHERITED: Readonly<Record<Exclude<EnvironmentPolicy, "all">, readonly string[]>> = {
  base: BASE,
  safe: SAFE,
  codex: CODEX,
};

/** Which names a policy lets through, and `more`. Windows names have no case. */
function inheritance(
  policy: EnvironmentPolicy,
  more: readonly string[],
  isWindows: boolean,
): (name: string) => boolean {
  if (policy === "all") return () => true;
  const names = [...INHERITED[policy], ...more];
  const allowed = new Set(
    isWindows ? [...names, ...WINDOWS].map((name) => name.toUpperCase()) : names,
  );
  const locale = policy === "codex" ? null : "LC_";
  return (name) =>
    name === CHAIN || (locale !== null && name.startsWith(locale)) ||
    allowed.has(isWindows ? name.toUpperCase() : name);
}

/** Whether a variable may be inherited under any policy. */
function isPassable(name: string, value: string): boolean {
  if (name === "" || /[=\0]/.test(name) || value.includes("\0")) return false;
  if (name.toUpperCase().startsWith("HOTPLUG_") && name !== CHAIN) return false;
  return !value.startsWith("()") && !name.startsWith("BASH_FUNC_");
}

function unsetAnyCase(variables: Map<string, string>, name: string): void {
  const upper = name.toUpperCase();
  for (const key of variables.keys()) if (key.toUpperCase() === upper) variables.delete(key);
}
