import type { JsonObject } from "../../model/json.ts";
import type { HostRequest } from "../host_request.ts";
import { requestOfLegacyHost } from "./legacy_host.ts";
import { requestOfModernHost } from "./modern_host.ts";

/**
 * The result of a host's request at the server that it is for, whichever eras the two are of. The
 * params are in the server's words, what a retry brings with it included.
 * @throws {HotplugError} why there is none.
 */
export async function bridgedRequest(
  request: HostRequest,
  server: string,
  method: string,
  params: JsonObject,
): Promise<JsonObject> {
  return request.isModern
    ? await requestOfModernHost(request, server, method, params)
    : await requestOfLegacyHost(request, server, method, params);
}
