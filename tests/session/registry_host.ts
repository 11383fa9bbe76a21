import type { HostRegistry } from "../../src/session/host_tools.ts";

/** How a kind of host behaves. */
export interface HostKind {
  /** Whether it can unregister. */
  readonly removes: boolean;
  /** Whether a new tool is active as soon as it is registered. */
  readonly activates: boolean;
  /** Whether it refuses a name that is registered already. */
  readonly refuses: boolean;
}

/** A tool as this host keeps it. */
export interface HeldTool {
  /** Its name. */
  readonly name: string;
  /** Which of several of that name it is. */
  readonly version: number;
}

/** A host agent's registry of tools, with a user who switches them. */
export class RegistryHost implements HostRegistry<HeldTool> {
  /** All registered tools. */
  readonly tools: Map<string, HeldTool> = new Map();
  /** What the model is told of. */
  active: string[] = [];
  /** Every call that changed something. */
  readonly calls: string[] = [];
  /** Unregisters; not there in a host that cannot. */
  readonly remove?: (name: string) => Promise<void>;
  /** How many calls go well before one fails; later ones go well again. */
  failsAfter: number | null = null;
  /** Whether every call fails from then on. */
  failsForEver = false;
  /** Whether the call that fails has done its work before. */
  failsLate = false;
  readonly #kind: HostKind;

  constructor(kind: HostKind, own: readonly string[]) {
    this.#kind = kind;
    for (const name of own) this.addOwn(name);
    if (kind.removes) {
      this.remove = (name) =>
        this.#step(`remove ${name}`, () => {
          if (!this.tools.delete(name)) throw new Error(`No tool "${name}"`);
          this.active = this.active.filter((other) => other !== name);
        });
    }
  }

  async getTools(): Promise<readonly string[]> {
    await this.#step(null, () => {});
    return [...this.tools.keys()];
  }

  async getActive(): Promise<readonly string[]> {
    await this.#step(null, () => {});
    return [...this.active];
  }

  register(tool: HeldTool): Promise<void> {
    return this.#step(`register ${tool.name}`, () => {
      const isNew = !this.tools.has(tool.name);
      if (!isNew && this.#kind.refuses) throw new Error(`"${tool.name}" is registered already`);
      this.tools.set(tool.name, tool);
      if (isNew && this.#kind.activates) this.active.push(tool.name);
    });
  }

  setActive(names: readonly string[]): Promise<void> {
    return this.#step("setActive", () => {
      this.active = names.filter((name) => this.tools.has(name));
    });
  }

  /** The host registers a tool of its own. */
  addOwn(name: string): void {
    this.tools.set(name, { name, version: 0 });
    this.active.push(name);
  }

  /** The user switches a tool on or off. */
  toggle(name: string): void {
    if (this.active.includes(name)) this.active = this.active.filter((other) => other !== name);
    else this.active.push(name);
  }

  async #step(call: string | null, work: () => void): Promise<void> {
    await Promise.resolve();
    const isFailing = this.failsAfter === 0;
    if (this.failsAfter !== null && this.failsAfter > 0) this.failsAfter--;
    if (!isFailing || this.failsLate) {
      if (call !== null) this.calls.push(call);
      work();
    }
    if (!isFailing) return;
    if (!this.failsForEver) this.failsAfter = null;
    throw new Error("The host is broken");
  }
}
