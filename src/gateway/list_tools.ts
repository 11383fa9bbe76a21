import type { JsonObject } from "../model/json.ts";
import type { HostRequest } from "./host_request.ts";
import { modernOwnResult } from "./protocol_versions.ts";
import type { Answer } from "./rpc.ts";
import { serverOutcomes, SERVERS_KEY } from "./server_outcomes.ts";

/** Key of `_meta` of a list under which stands the generation of the tool set. */
const GENERATION_KEY = "dev.hotplug/generation";

/** `tools/list`: what is on offer now, in one page, and what became of each server. */
export async function listTools(request: HostRequest): Promise<Answer> {
  const { offer, session, isModern, signal, onListed, waits } = request;
  if (waits) await offer.seen(signal);
  const { generation } = session.toolSet;
  const _meta: JsonObject = {
    [SERVERS_KEY]: serverOutcomes(session.servers()),
    [GENERATION_KEY]: generation,
  };
  const tools = (offer.lazy ?? offer.tools).list();
  onListed(generation);
  return { result: isModern ? modernOwnResult({ tools }, _meta) : { tools, _meta } };
}
