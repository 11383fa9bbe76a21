import type { JsonObject } from "../../model/json.ts";
import type { HostRequest } from "../host_request.ts";
import { forwardForLegacyHost } from "./legacy_host.ts";
import { forwardForModernHost } from "./modern_host.ts";

/**
 * The result of a host's request at the server that it is for, in whichever eras the two are. The
 * params are in the server's words; what a retry brings with it is taken from the host's own.
 * @throws {HotplugError} why there is none.
 */
export function forwardRequest(
  request: HostRequest,
  server: string,
  params: JsonObject,
): Promise<JsonObject> {
  return request.isModern
    ? forwardForModernHost(request, server, params)
    : forwardForLegacyHost(request, server, params);
}
