import { HotplugError } from "../model/errors.ts";

interface Waiter {
  readonly uri: string;
  readonly version: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Resources that a connection watches, and whether the stream that tells of them stands. */
export class WatchedResources {
  readonly #server: string;
  readonly #uris = new Set<string>();
  #version = 0;
  #waiters: Waiter[] = [];
  #onChange: () => void = () => {};

  /** None is watched; `server` names the server in messages. */
  constructor(server: string) {
    this.#server = server;
  }

  /** Grows with each change of the set. */
  get version(): number {
    return this.#version;
  }

  /** The set, in the order of subscribing. */
  uris(): readonly string[] {
    return [...this.#uris];
  }

  /** Adds a resource; `false` when it is there already. */
  add(uri: string): boolean {
    if (this.#uris.has(uri)) return false;
    this.#uris.add(uri);
    this.#changed();
    return true;
  }

  /** Takes a resource out; `false` when it is not there. */
  remove(uri: string): boolean {
    if (!this.#uris.delete(uri)) return false;
    this.#changed();
    return true;
  }

  /** Calls this at every change of the set from now on, in place of what was called before. */
  onChange(call: () => void): void {
    this.#onChange = call;
  }

  /** Resolves when a stream stands that tells of this resource. @throws why none does. */
  standing(uri: string): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#waiters.push({ uri, version: this.#version, resolve, reject })
    );
  }

  /** Notes that a stream for the set of this version stands, and what it tells of. */
  opened(version: number, honoured: readonly string[]): void {
    const told = new Set(honoured);
    for (const { uri, resolve, reject } of this.#take(version)) {
      if (told.has(uri) || !this.#uris.has(uri)) resolve();
      else {
        reject(
          new HotplugError(
            "protocol-error",
            `"${this.#server}" does not tell of changes of "${uri}"`,
          ),
        );
      }
    }
  }

  /** Notes that no stream for the set of this version could be opened. */
  failed(version: number, error: unknown): void {
    for (const { reject } of this.#take(version)) reject(error);
  }

  #take(version: number): readonly Waiter[] {
    const taken = this.#waiters.filter((waiter) => waiter.version <= version);
    this.#waiters = this.#waiters.filter((waiter) => waiter.version > version);
    return taken;
  }

  #changed(): void {
    this.#version++;
    this.#onChange();
  }
}
