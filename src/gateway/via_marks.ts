import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { VIA_KEY, viaOf } from "../model/session_chain.ts";
import type { Answer } from "./rpc.ts";

/** Lists of what is on offer, and the field that their items stand in. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ["tools/list", "tools"],
  ["prompts/list", "prompts"],
  ["resources/list", "resources"],
  ["resources/templates/list", "resourceTemplates"],
]);

/**
 * Marks what a gateway lists as having come through it. Gateways that are servers of each other give
 * everybody's tools to everybody and nothing back to where it came from.
 */
export class ViaMarks {
  readonly #id: string;
  /** Lists that stay the same are marked once. */
  readonly #marked = new WeakMap<readonly JsonValue[], readonly JsonValue[]>();

  /** Marks with the random id of a gateway. */
  constructor(id: string) {
    this.#id = id;
  }

  /** The answer to a method, with its items marked when it is a list. */
  answer(method: string, answer: Answer): Answer {
    const field = LISTS.get(method);
    if (field === undefined || "error" in answer) return answer;
    const items = answer.result[field];
    if (!Array.isArray(items)) return answer;
    return { result: { ...answer.result, [field]: this.#markedAll(items as JsonValue[]) } };
  }

  #markedAll(items: readonly JsonValue[]): readonly JsonValue[] {
    const known = this.#marked.get(items);
    if (known !== undefined) return known;
    const marked = items.map((item) => isJsonObject(item) ? this.#item(item) : item);
    this.#marked.set(items, marked);
    return marked;
  }

  #item(item: JsonObject): JsonObject {
    const meta = item["_meta"];
    return {
      ...item,
      _meta: { ...(isJsonObject(meta) ? meta : {}), [VIA_KEY]: [...viaOf(item), this.#id] },
    };
  }
}
