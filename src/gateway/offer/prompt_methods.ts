import { failedRequest, forwarded, forwardedAnswer } from "../forward_request.ts";
import type { HostRequest } from "../host_request.ts";
import { lateServers } from "../late_servers.ts";
import { type Answer, INVALID_PARAMS, refused } from "../rpc.ts";
import { withRenamedLinks } from "./links.ts";
import { mergedAnswer } from "./merged_answer.ts";
import type { PromptAddress } from "./prompt_catalogue.ts";

/** `prompts/list`: what is on offer now, in one page. */
export async function listPrompts(request: HostRequest): Promise<Answer> {
  return await mergedAnswer(request, "prompts", () => {
    const { items, version } = request.offer.prompts.list();
    request.onListed("prompts", version);
    return items;
  });
}

/** `prompts/get`: the prompt of its server, given on as it was received. */
export async function getPrompt(request: HostRequest): Promise<Answer> {
  const { name } = request.params;
  if (typeof name !== "string") {
    return refused(INVALID_PARAMS, 'Invalid params: "name" is required, a text');
  }
  const address = await promptOf(request, name);
  if (address === null) return unknownPrompt(name);
  const { server, prompt } = address;
  try {
    const result = await forwarded(request, server, { name: prompt });
    const { offer: { resources }, host } = request;
    return forwardedAnswer(
      request,
      withRenamedLinks(result, (uri) => resources.nameFor(server, uri, host.principal)),
    );
  } catch (thrown) {
    return failedRequest(request, server, thrown);
  }
}

/**
 * What a prompt's name means; `null` when it was never on offer. A host may remember it from another
 * day, and its server may be still on its way.
 */
export async function promptOf(request: HostRequest, name: string): Promise<PromptAddress | null> {
  const { prompts } = request.offer;
  const known = prompts.find(name);
  if (known !== null) return known;
  await lateServers(request, "prompts", request.signal);
  return prompts.find(name);
}

/** The refusal of a prompt that nobody has. */
export function unknownPrompt(name: string): Answer {
  return refused(INVALID_PARAMS, `Unknown prompt: ${JSON.stringify(name.slice(0, 128))}`);
}
