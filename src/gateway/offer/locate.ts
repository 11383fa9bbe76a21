import { isJsonObject } from "../../model/json.ts";
import type { ServerView } from "../../model/server_view.ts";
import type { HostRequest } from "../host_request.ts";
import { lateServers } from "../late_servers.ts";
import { type Answer, INVALID_PARAMS, refused, RESOURCE_NOT_FOUND } from "../rpc.ts";
import type { ResourceAddress } from "./resource_catalogue.ts";

/** What a URI means, or why nobody can tell. */
export type Located = { readonly address: ResourceAddress } | { readonly refusal: Answer };

/**
 * Finds out which server has a resource. One that no server lists, links or makes by a template is
 * asked of the only server that may have it: many list nothing of what they can read.
 */
export async function located(
  request: HostRequest,
  uri: string,
  signal: AbortSignal,
): Promise<Located> {
  const { offer: { resources }, host } = request;
  let address = resources.find(uri, host.principal);
  if (address === null) {
    await lateServers(request, "resources", signal);
    address = resources.find(uri, host.principal);
  }
  if (address !== null) return { address };
  const servers = possibleServers(request);
  const [only] = servers;
  if (only !== undefined && servers.length === 1) return { address: { server: only, uri } };
  const shown = JSON.stringify(uri.slice(0, 500));
  const names = servers.slice(0, 10).map((name) => JSON.stringify(name)).join(", ");
  const why = servers.length === 0
    ? "no server has resources"
    : `none of its servers lists it or has a template for it: ${names}`;
  const code = request.isModern ? INVALID_PARAMS : RESOURCE_NOT_FOUND;
  return { refusal: refused(code, `Resource not found: ${shown}, ${why}`, { uri }) };
}

/**
 * Servers that may have a resource that they do not list: those that say that they have some, and
 * those that have said nothing yet. A URI can hold a secret, so it goes to no other.
 */
function possibleServers({ offer, session }: HostRequest): readonly string[] {
  const mayHave = ({ name, state, resources }: ServerView): boolean => {
    if (!offer.isWhole(name)) return false;
    if (state === "connected") return isJsonObject(session.capabilitiesOf(name)["resources"]);
    const isAway = state === "connecting" || state === "retrying" || state === "needs-auth";
    return isAway ? resources !== 0 : (resources ?? 0) > 0;
  };
  return session.servers().filter(mayHave).map(({ name }) => name);
}
