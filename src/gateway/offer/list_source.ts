import type { ListedItem } from "../../model/listing.ts";
import type { GatewayList, GatewaySession } from "../gateway_session.ts";

/** What one server lists. */
export interface ServerList {
  /** The server's name. */
  readonly server: string;
  /** What it lists. */
  readonly items: readonly ListedItem[];
}

/** One kind of list of all servers on offer. */
export class ListSource {
  readonly #session: GatewaySession;
  readonly #kind: GatewayList;
  readonly #isOffered: (server: string) => boolean;
  #current: readonly ServerList[] = [];
  /** Whether it has looked in this turn: a result may name a thousand resources. */
  #hasLooked = false;

  /** Looks at the session when it is asked. */
  constructor(
    session: GatewaySession,
    kind: GatewayList,
    isOffered: (server: string) => boolean,
  ) {
    this.#session = session;
    this.#kind = kind;
    this.#isOffered = isOffered;
  }

  /** The lists, in the plan's order; the same array until one of them changes. */
  current(): readonly ServerList[] {
    if (this.#hasLooked) return this.#current;
    this.#hasLooked = true;
    queueMicrotask(() => this.#hasLooked = false);
    const lists: ServerList[] = [];
    for (const { name: server } of this.#session.servers()) {
      if (!this.#isOffered(server)) continue;
      const items = this.#session.listed(server, this.#kind);
      if (items.length > 0) lists.push({ server, items });
    }
    const before = this.#current;
    const isSame = lists.length === before.length && lists.every(({ server, items }, index) => {
      const known = before[index];
      return known?.server === server && known.items === items;
    });
    if (!isSame) this.#current = lists;
    return this.#current;
  }
}
