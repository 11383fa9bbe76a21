import type { JsonObject } from "../../model/json.ts";

/** A list as hosts see it, and how often it has changed. */
export class MergedList {
  #items: readonly JsonObject[] = [];
  #text = "[]";
  #version = 0;

  /** The items, in order. */
  get items(): readonly JsonObject[] {
    return this.#items;
  }

  /** Grows with each change that a host can see. */
  get version(): number {
    return this.#version;
  }

  /** Puts items in the place of those before. */
  set(items: readonly JsonObject[]): void {
    const text = JSON.stringify(items);
    if (text === this.#text) return;
    this.#items = items;
    this.#text = text;
    this.#version++;
  }
}
