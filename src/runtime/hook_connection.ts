import type { LaunchFacts } from "../cache/launch_facts.ts";
import { shownUrl, textMasker } from "../definitions/secrets.ts";
import type { BeforeConnectEvent } from "../model/event_hooks.ts";
import { transportKind } from "../model/run_candidate.ts";
import { sourceView } from "../model/server_view.ts";
import type { StartInput } from "./server_start.ts";

/** What hooks are told of a server that is about to be started or reached: no secret of it. */
export function hookConnection(
  { name, source }: StartInput,
  { config, secrets, program, cwd }: LaunchFacts,
): Omit<BeforeConnectEvent, "workspacePath"> {
  const mask = textMasker(secrets);
  const isProcess = transportKind(config) === "stdio";
  return {
    server: name,
    source: source === undefined ? null : sourceView(source),
    connection: {
      type: config.type ?? null,
      command: isProcess ? mask(config.command ?? "") : null,
      args: isProcess ? (config.args ?? []).map(mask) : [],
      program: isProcess ? program?.path ?? null : null,
      cwd: isProcess ? mask(cwd) : null,
      url: isProcess || config.url === undefined ? null : mask(shownUrl(config.url)),
      envNames: Object.keys(config.env),
      headerNames: Object.keys(config.headers),
    },
  };
}
