import type { ListKind } from "../model/listing.ts";
import { ListNotice } from "./list_notice.ts";
import type { ListVersions } from "./list_watch.ts";
import type { ChangingList } from "./listen_streams.ts";

/** What {@linkcode HostLists} work with. */
export interface HostListsOptions {
  /** Whether the host may be told of a list now. */
  readonly mayTell: (list: ChangingList) => boolean;
  /** Tells it that a list has changed. */
  readonly tell: (list: ChangingList) => void;
}

/** Tells one host of changes of prompts and resources, unless it has the lists as they are now. */
export class HostLists {
  readonly #notices: ReadonlyMap<ChangingList, ListNotice>;
  /** Which version of each list the host was given last. */
  readonly #given = new Map<ListKind, number>();

  /** The host was given nothing yet. */
  constructor({ mayTell, tell }: HostListsOptions) {
    const notice = (list: ChangingList): [ChangingList, ListNotice] => [
      list,
      new ListNotice({ mayTell: () => mayTell(list), tell: () => tell(list) }),
    ];
    this.#notices = new Map([notice("prompts"), notice("resources")]);
  }

  /** Notes that the host was given a list. */
  given(kind: ListKind, version: number): void {
    this.#given.set(kind, version);
  }

  /** Notes that a list has changed. */
  changed(list: ChangingList, versions: ListVersions): void {
    // A host that does not ask for templates of resources misses nothing when they change.
    const asked = (Object.keys(versions) as readonly ListKind[])
      .filter((kind) => this.#given.has(kind));
    const isKnown = asked.every((kind) => this.#given.get(kind) === versions[kind]);
    if (asked.length > 0 && isKnown) return;
    this.#notices.get(list)?.changed();
  }

  /** Notes that the host may be told from now on, and tells it what it is owed. */
  ready(): void {
    for (const notice of this.#notices.values()) notice.ready();
  }
}
