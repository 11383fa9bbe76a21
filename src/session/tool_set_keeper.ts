import type { Tool } from "../model/tool.ts";
import type { ToolSet } from "../model/tool_set.ts";
import { isSameToolSet } from "./tool_set_diff.ts";

/** Those who hold the set at one time. */
interface Holding {
  holders: number;
  readonly over: PromiseWithResolvers<void>;
}

/**
 * The tool set that a session offers: the tools of its servers, exchanged whole. While somebody
 * holds it nothing is exchanged, so that a reload is seen as one step.
 */
export class ToolSetKeeper {
  readonly #tools: () => readonly Tool[];
  readonly #onChange: () => void;
  #current: ToolSet = { generation: 1, tools: [] };
  #holding: Holding | null = null;

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

  /** Whether somebody holds the set. */
  get isHeld(): boolean {
    return this.#holding !== null;
  }

  /** Takes the tools as they are now for the first set, before anybody has seen one. */
  begin(): void {
    this.#current = { ...this.#current, tools: this.#tools() };
  }

  /** Takes the tools as they are now, unless somebody holds the set. */
  update(): void {
    if (!this.isHeld) this.#exchange(this.#tools());
  }

  /** Takes a server's tools away, also while somebody holds the set. */
  drop(server: string): void {
    const { tools } = this.#current;
    const left = tools.filter((tool) => tool.server !== server);
    if (left.length < tools.length) this.#exchange(left);
  }

  /** Keeps the set as it is until what is given is called; the last one to do so updates it. */
  hold(): () => void {
    const holding = this.#holding ??= { holders: 0, over: Promise.withResolvers() };
    holding.holders++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      holding.holders--;
      if (holding.holders === 0 && holding === this.#holding) this.letGo();
    };
  }

  /** Updates the set, whoever holds it: what they call later has no effect any more. */
  letGo(): void {
    const holding = this.#holding;
    this.#holding = null;
    this.update();
    holding?.over.resolve();
  }

  /** Resolves when nobody holds the set any more. Never rejects. */
  async released(): Promise<void> {
    await this.#holding?.over.promise;
  }

  #exchange(tools: readonly Tool[]): void {
    const before = this.#current;
    if (tools === before.tools) return;
    const isSame = isSameToolSet(before.tools, tools);
    // Tools that say the same may be called another way: these are offered from now on.
    this.#current = { generation: before.generation + (isSame ? 0 : 1), tools };
    if (!isSame) this.#onChange();
  }
}
