import { DENO_CACHE, fromRepository, npmSpecifier } from "./repository.ts";

/** How a test starts a server over stdio: an entry of a config file. */
export interface ServerCommand {
  /** Program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Deno's cache, so that a server in a temp home downloads nothing. */
  readonly env: Readonly<Record<string, string>>;
}

const ENV = { DENO_DIR: DENO_CACHE, DENO_NO_UPDATE_CHECK: "1" };
const FLAGS = ["run", "--quiet", "--no-prompt", "--allow-all"];

/** A trap server: `tests/servers/trap.ts` with a behaviour and its arguments. */
export function trap(behaviour: string, ...args: readonly string[]): ServerCommand {
  const script = fromRepository("tests/servers/trap.ts");
  return {
    command: Deno.execPath(),
    args: [...FLAGS, "--no-config", "--no-lock", script, behaviour, ...args],
    env: ENV,
  };
}

/**
 * A server made with an SDK; `dual` and `modern` with 2.x, `legacy` with 1.x, `changing` with
 * either. Those that are `asking` need their client in the middle of requests.
 */
export function sdkServer(
  era: "modern" | "dual" | "legacy" | "changing" | "asking_legacy" | "asking_modern",
): ServerCommand {
  const script = fromRepository(`tests/servers/sdk_${era}.ts`);
  return { command: Deno.execPath(), args: [...locked(), script], env: ENV };
}

/** A server of that era that offers one of everything: `tests/servers/sdk_offering.ts`. */
export function offeringServer(
  era: "modern" | "legacy",
  ...args: readonly string[]
): ServerCommand {
  const script = fromRepository("tests/servers/sdk_offering.ts");
  return { command: Deno.execPath(), args: [...locked(), script, era, ...args], env: ENV };
}

/** A server that offers what the conformance suite asks for, made with the SDK of either era. */
export function conformanceServer(era: "modern" | "legacy"): ServerCommand {
  const script = fromRepository(`tests/conformance/server/${era}_fixture.ts`);
  return { command: Deno.execPath(), args: [...locked(), script], env: ENV };
}

/** A reference server from npm, at the version of `deno.json`. */
export function npmServer(
  name: "everything" | "filesystem" | "memory" | "sequential-thinking",
  ...args: readonly string[]
): ServerCommand {
  const specifier = npmSpecifier(`@modelcontextprotocol/server-${name}`);
  return { command: Deno.execPath(), args: [...locked(), specifier, ...args], env: ENV };
}

/** Flags that hold a program to the locked versions. */
function locked(): readonly string[] {
  return [...FLAGS, "--config", fromRepository("deno.json"), "--cached-only"];
}
