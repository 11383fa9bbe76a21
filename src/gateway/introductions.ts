import type { JsonObject } from "../model/json.ts";
import type { HostRequest, OpeningRequest } from "./host_request.ts";
import {
  MODERN_VERSIONS,
  modernOwnResult,
  negotiatedVersion,
  SERVER_INFO,
} from "./protocol_versions.ts";
import type { Answer } from "./rpc.ts";

/** What the gateway can do for hosts of the legacy era. */
const LEGACY_CAPABILITIES: JsonObject = { tools: { listChanged: true }, logging: {} };

/** The same for those of the modern era, where log lines are asked for with each request. */
const MODERN_CAPABILITIES: JsonObject = { tools: { listChanged: true } };

/** `initialize`: how a host of the legacy era opens the conversation. */
export async function initialize({ params, gateway, session }: HostRequest): Promise<Answer> {
  const result = {
    protocolVersion: negotiatedVersion(params["protocolVersion"]),
    capabilities: LEGACY_CAPABILITIES,
    serverInfo: SERVER_INFO,
    instructions: await gateway.instructions(session),
  };
  return { result };
}

/** `server/discover`: how a host of the modern era finds out what it has before it. */
export async function discover({ gateway }: OpeningRequest): Promise<Answer> {
  const result = {
    supportedVersions: MODERN_VERSIONS,
    capabilities: MODERN_CAPABILITIES,
    instructions: await gateway.instructions(),
  };
  return { result: modernOwnResult(result) };
}
