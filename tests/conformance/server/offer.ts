import type { JsonObject } from "../../../mod.ts";
import { ANSWERING_TOOLS } from "./answering_tools.ts";
import { ASKING_TOOLS } from "./asking_tools.ts";
import { type Behaviour, type FixturePrompt, type FixtureTool, text } from "./behaviour.ts";
import { PROMPTS } from "./prompts.ts";

const TOOLS: readonly FixtureTool[] = [...ANSWERING_TOOLS, ...ASKING_TOOLS];

/** A tool and a prompt that are there at times. */
const EXTRA: FixtureTool & FixturePrompt = {
  name: "test_extra",
  description: "There at times",
  run: () => [text("Here")],
};

/** What the fixtures offer: the same in every era, over every transport, to every host. */
export class Offer {
  readonly #extra = { tools: false, prompts: false };

  /** Adds an entry to a list, or takes it away again. */
  change(list: "tools" | "prompts"): void {
    this.#extra[list] = !this.#extra[list];
  }

  /** A tool by its name. @throws When there is none. */
  tool(name: string): FixtureTool {
    return known(this.#tools(), name);
  }

  /** A prompt by its name. @throws When there is none. */
  prompt(name: string): FixturePrompt {
    return known(this.#prompts(), name);
  }

  /** The tools as they are listed. */
  listedTools(): readonly JsonObject[] {
    const none = { type: "object", properties: {} };
    return this.#tools().map(({ name, description, inputSchema = none }) => ({
      name,
      description,
      inputSchema,
    }));
  }

  /** The prompts as they are listed. */
  listedPrompts(): readonly JsonObject[] {
    return this.#prompts().map((prompt) => ({
      name: prompt.name,
      description: prompt.description,
      arguments: (prompt.arguments ?? []).map((name) => ({ name, required: true })),
    }));
  }

  #tools(): readonly FixtureTool[] {
    return this.#extra.tools ? [...TOOLS, EXTRA] : TOOLS;
  }

  #prompts(): readonly FixturePrompt[] {
    return this.#extra.prompts ? [...PROMPTS, EXTRA] : PROMPTS;
  }
}

function known<Entry extends Behaviour>(entries: readonly Entry[], name: string): Entry {
  const entry = entries.find((candidate) => candidate.name === name);
  if (entry === undefined) throw new Error(`Cannot find "${name}"`);
  return entry;
}
