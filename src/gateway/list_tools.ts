import type { HostRequest } from "./host_request.ts";
import { mergedAnswer } from "./offer/merged_answer.ts";
import type { Answer } from "./rpc.ts";

/** Key of `_meta` of a list under which stands the generation of the tool set. */
const GENERATION_KEY = "dev.hotplug/generation";

/** `tools/list`: what is on offer now, in one page, and what became of each server. */
export async function listTools(request: HostRequest): Promise<Answer> {
  const { offer, session, onListed } = request;
  return await mergedAnswer(request, "tools", () => {
    const tools = (offer.lazy ?? offer.tools).list();
    onListed("tools", session.toolSet.generation);
    return tools;
  }, () => ({ [GENERATION_KEY]: session.toolSet.generation }));
}
