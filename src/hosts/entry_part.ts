import { type TargetFile, targetFile } from "../edit/target.ts";
import { writtenServer } from "../edit/written_server.ts";
import type { ServerConfig } from "../model/definition.ts";
import { errorFromInfo } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import { ENTRY_NAME, servingWords } from "./gateway_words.ts";
import type { HookRequest, HostEntry, HostSetting } from "./host_kind.ts";

/** What an entry has beyond the command line. */
export interface EntryWords {
  /** Keys of the host's that the canonical form has no word for. Default: none. */
  readonly extra?: JsonObject;
  /** Settings beside the entry. Default: none. */
  readonly settings?: readonly HostSetting[];
}

/**
 * The entry that starts Hotplug, in the file in which a host keeps its servers.
 *
 * @param kind Id of the kind of host that is served.
 * @param source Id of the source whose file it is.
 * @throws {HotplugError} `usage` when the host has no file of that scope.
 */
export function entryPart(
  kind: string,
  source: string,
  request: HookRequest,
  { extra = {}, settings = [] }: EntryWords = {},
): HostEntry {
  const target = targetFile({ scope: request.scope, host: source }, request.context);
  return { what: "entry", target, config: gatewayConfig(kind, request), extra, settings };
}

/** What starts Hotplug for a kind of host, in canonical form; its texts are literal. Pure. */
export function gatewayConfig(kind: string, { program }: HookRequest): ServerConfig {
  const [command = "", ...first] = program;
  return { type: "stdio", command, args: [...first, ...servingWords(kind)] };
}

/**
 * A server as the file of a host would hold it.
 *
 * @throws {HotplugError} `config-invalid` when the host has no words for it.
 */
export function entryIn(target: TargetFile, config: ServerConfig): JsonObject {
  const { raw, problem } = writtenServer({ name: ENTRY_NAME, dialect: "literal", config }, target);
  if (problem !== null) throw errorFromInfo(problem);
  return raw;
}
