import { endProcesses, leftoversOfHome } from "../harness/living_processes.ts";
import { RawClient } from "../harness/raw_client.ts";
import type { ServerCommand } from "../harness/servers.ts";
import type { TempHome } from "../harness/temp_home.ts";

/** Longest time for handshake and list of one server. */
const LIMIT_MS = 20_000;

/** What an independent client saw of a server. */
export type RawOutcome =
  | { readonly kind: "tools"; readonly names: readonly string[] }
  | { readonly kind: "hung" | "dead" | "refused"; readonly why: string };

/** Starts a server, asks it for its tools, ends it and all that it started. */
export async function rawList(command: ServerCommand, home: TempHome): Promise<RawOutcome> {
  const client = new RawClient(command, home.env, home.home);
  const limit = Promise.withResolvers<RawOutcome>();
  const timer = setTimeout(
    () => limit.resolve({ kind: "hung", why: `no answer within ${LIMIT_MS / 1_000} s` }),
    LIMIT_MS,
  );
  const outcome = await Promise.race([limit.promise, listed(client)]);
  clearTimeout(timer);
  await client.close(200);
  endProcesses(await leftoversOfHome(home.home, 0));
  return outcome;
}

async function listed(client: RawClient): Promise<RawOutcome> {
  try {
    await client.initialize();
    const names = (await client.tools()).map((tool) => String(tool["name"]));
    return { kind: "tools", names };
  } catch (error) {
    const [first = ""] = error instanceof Error ? error.message.split("\n") : [String(error)];
    return { kind: first.startsWith("stdout ended") ? "dead" : "refused", why: first };
  }
}
