import type { JsonObject } from "../../model/json.ts";
import type { ListKind } from "../../model/listing.ts";
import type { HostRequest } from "../host_request.ts";
import { modernOwnResult } from "../protocol_versions.ts";
import { type Answer, INTERNAL_ERROR, refused } from "../rpc.ts";
import { failedLists, serverOutcomes, SERVERS_KEY } from "../server_outcomes.ts";

/** What hosts call each list. */
const WORDS: Readonly<Record<ListKind, string>> = {
  tools: "tools",
  resources: "resources",
  resourceTemplates: "resource templates",
  prompts: "prompts",
};

/**
 * The answer to a request for a list: all of it in one page, and what became of each server. It waits
 * for servers of which nothing is known yet, as long as the offer does. Where hosts want all or
 * nothing, a server that failed makes it an error.
 * @param items Gives the items, after the waiting.
 * @param more Further fields of `_meta`.
 */
export async function mergedAnswer(
  request: HostRequest,
  kind: ListKind,
  items: () => readonly JsonObject[],
  more: () => JsonObject = () => ({}),
): Promise<Answer> {
  const { offer, session, isModern, signal, waits } = request;
  if (waits) await offer.seen(signal, kind);
  const servers = session.servers();
  const outcomes = serverOutcomes(servers, (view) => offer.countOf(view, kind));
  if (offer.isStrict) {
    const failed = failedLists(servers, kind);
    const reasons = session.failure === null ? failed : [session.failure.message, ...failed];
    if (reasons.length > 0) {
      return refused(INTERNAL_ERROR, `Cannot list all ${WORDS[kind]}: ${reasons.join("; ")}`, {
        [SERVERS_KEY]: outcomes,
      });
    }
  }
  const result = { [kind]: items() };
  const _meta: JsonObject = { [SERVERS_KEY]: outcomes, ...more() };
  return { result: isModern ? modernOwnResult(result, _meta) : { ...result, _meta } };
}
