import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/model/json.ts";
import type { AgentProcess } from "./agent_process.ts";

/** JSON-RPC with an agent, in lines. */
export interface JsonRpc {
  /** The result of a request; fails when the answer is an error. */
  request(method: string, params: JsonObject): Promise<JsonObject>;
  /** Tells the agent something. */
  notify(method: string, params: JsonObject): void;
}

/** Answers to what an agent asks, by method; anything else is refused. */
export type Answers = Readonly<Record<string, (params: JsonObject) => JsonValue>>;

/** Speaks JSON-RPC with an agent, in lines. */
export function jsonRpc(agent: AgentProcess, answers: Answers = {}): JsonRpc {
  let last = 0;
  agent.onMessage(({ id, method, params }) => {
    if (typeof method !== "string" || id === undefined) return;
    const answer = answers[method];
    agent.send(
      answer === undefined
        ? { jsonrpc: "2.0", id, error: { code: -32601, message: "Not known here" } }
        : { jsonrpc: "2.0", id, result: answer(isJsonObject(params) ? params : {}) },
    );
  });
  return {
    async request(method, params): Promise<JsonObject> {
      const id = ++last;
      const answered = agent.next(
        (message) => message["id"] === id && message["method"] === undefined,
        `answer to ${method}`,
      );
      agent.send({ jsonrpc: "2.0", id, method, params });
      const { result, error } = await answered;
      if (isJsonObject(result)) return result;
      throw new Error(`${method}: ${JSON.stringify(error ?? result)}\n${agent.tail()}`);
    },
    notify: (method, params) => agent.send({ jsonrpc: "2.0", method, params }),
  };
}
