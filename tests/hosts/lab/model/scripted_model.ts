import { isJsonObject } from "../../../../src/model/json.ts";
import { CHAT_COMPLETIONS } from "./chat_completions.ts";
import { GEMINI } from "./gemini.ts";
import { MESSAGES } from "./messages.ts";
import type { ModelApi, ModelRequest } from "./model_api.ts";
import { RESPONSES } from "./responses.ts";
import { replyTo, turnOf } from "./script.ts";

/** A request that the model was asked, and where it belongs. */
export interface AskedRequest extends ModelRequest {
  /** Number of the turn; `null` for what the host asks beside its turns. */
  readonly turn: number | null;
  /** The API that it came by. */
  readonly api: string;
}

/** A model that does what the user's text says, for every host, on the loopback. */
export interface ScriptedModel {
  /** Where it is, without a path. */
  readonly url: string;
  /** Every request so far, in order. */
  readonly asked: readonly AskedRequest[];
  /** Methods and paths of what it could not answer, for messages. */
  readonly unknown: readonly string[];
  /**
   * Holds back the answer to the next request that fits. What is given comes when that request has
   * come, and lets the answer go.
   */
  holdNext(fits: (request: AskedRequest) => boolean): Promise<() => void>;
  /** Ends it, connections included. */
  close(): Promise<void>;
}

/** A wait of {@linkcode ScriptedModel.holdNext}. */
interface Hold {
  readonly fits: (request: AskedRequest) => boolean;
  readonly arrived: (release: () => void) => void;
}

const APIS: readonly ModelApi[] = [CHAT_COMPLETIONS, RESPONSES, MESSAGES, GEMINI];

/** Starts such a model. */
export function startScriptedModel(): ScriptedModel {
  const asked: AskedRequest[] = [];
  const unknown: string[] = [];
  const holds = new Set<Hold>();
  const known = new Set<string>();

  const heldBack = async (request: AskedRequest): Promise<void> => {
    const hold = [...holds].find(({ fits }) => fits(request));
    if (hold === undefined) return;
    holds.delete(hold);
    await new Promise<void>((release) => hold.arrived(release));
  };

  const answer = async (api: ModelApi, body: unknown): Promise<Response> => {
    const request = api.read(isJsonObject(body) ? body : {});
    const turn = turnOf(request);
    const asking = { ...request, turn: turn?.number ?? null, api: api.name };
    asked.push(asking);
    for (const tool of request.tools) {
      known.delete(tool);
      known.add(tool);
    }
    await heldBack(asking);
    const reply = turn === null
      ? { kind: "text", text: "Nothing to say." } as const
      : replyTo(turn, request, [...known]);
    const headers = { "content-type": "text/event-stream" };
    return new Response(api.answer(reply, `lab${asked.length}`), { headers });
  };

  const ending = new AbortController();
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    signal: ending.signal,
    onListen: () => {},
  }, async (request) => {
    const { pathname } = new URL(request.url);
    const api = request.method === "POST" && APIS.find(({ matches }) => matches(pathname));
    if (api) return await answer(api, await request.json());
    await request.body?.cancel();
    if (request.method === "HEAD") return new Response();
    unknown.push(`${request.method} ${pathname}`);
    return Response.json({ error: { message: "Not here" } }, { status: 404 });
  });

  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    asked,
    unknown,
    holdNext: (fits) => new Promise((arrived) => holds.add({ fits, arrived })),
    async close(): Promise<void> {
      ending.abort();
      await server.finished;
    },
  };
}
