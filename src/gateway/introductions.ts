import type { JsonObject } from "../model/json.ts";
import type { HostRequest, OpeningRequest } from "./host_request.ts";
import {
  MODERN_VERSIONS,
  modernOwnResult,
  negotiatedVersion,
  SERVER_INFO,
} from "./protocol_versions.ts";
import type { Answer } from "./rpc.ts";

/**
 * What the gateway can do for hosts of either era, whatever the servers behind it can: which those
 * are may change.
 */
const CAPABILITIES: JsonObject = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

/** `initialize`: how a host of the legacy era opens the conversation. */
export async function initialize({ params, gateway, session }: HostRequest): Promise<Answer> {
  const result = {
    protocolVersion: negotiatedVersion(params["protocolVersion"]),
    capabilities: CAPABILITIES,
    serverInfo: SERVER_INFO,
    instructions: await gateway.instructions(session),
  };
  return { result };
}

/** `server/discover`: how a host of the modern era finds out what it has before it. */
export async function discover({ gateway }: OpeningRequest): Promise<Answer> {
  const result = {
    supportedVersions: MODERN_VERSIONS,
    capabilities: CAPABILITIES,
    instructions: await gateway.instructions(),
  };
  return { result: modernOwnResult(result) };
}
