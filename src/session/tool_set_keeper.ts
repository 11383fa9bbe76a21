import type { Tool } from "../model/tool.ts";
import type { ToolSet } from "../model/tool_set.ts";
import { isSameToolSet } from "./tool_set_diff.ts";

/**
 * The tool set that a session offers: the tools of its servers, exchanged whole. While somebody
 * holds it nothing is exchanged, so that a reload is seen as one step.
 */
export class ToolSetKeeper {
  readonly #tools: () => readonly Tool[];
  readonly #onChange: () => void;
  #current: ToolSet = { generation: 1, tools: [] };
  #holders = 0;

  /**
   * An empty set.
   * @param tools The tools as they are now.
   * @param onChange Called whenever the generation has grown. Must not throw.
   */
  constructor(tools: () => readonly Tool[], onChange: () => void) {
    this.#tools = tools;
    this.#onChange = onChange;
  }

  /** The set that is offered. */
  get current(): ToolSet {
    return this.#current;
  }

  /** Takes the tools as they are now for the first set, before anybody has seen one. */
  begin(): void {
    this.#current = { ...this.#current, tools: this.#tools() };
  }

  /** Takes the tools as they are now, unless somebody holds the set. */
  update(): void {
    if (this.#holders > 0) return;
    const tools = this.#tools();
    const before = this.#current;
    if (tools === before.tools) return;
    const isSame = isSameToolSet(before.tools, tools);
    // Tools that say the same may be called another way: these are offered from now on.
    this.#current = { generation: before.generation + (isSame ? 0 : 1), tools };
    if (!isSame) this.#onChange();
  }

  /** Keeps the set as it is until what is given is called; the last one to do so updates it. */
  hold(): () => void {
    this.#holders++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders--;
      this.update();
    };
  }
}
