import type { ListKind } from "../model/listing.ts";
import type { Clock } from "../runtime/clock.ts";
import type { ChangingList } from "./listen_streams.ts";
import type { Offer } from "./offer.ts";

/** Milliseconds that changes are gathered for: servers that come up together are told of once. */
const GATHER_MS = 200;

/** The lists that are watched here; tools have a way of their own, by which hosts are waited for. */
const WATCHED = ["prompts", "resources"] as const;

type WatchedList = typeof WATCHED[number];

/** How often lists have changed, by what hosts ask for. */
export type ListVersions = Readonly<Partial<Record<ListKind, number>>>;

/** What a {@linkcode ListWatch} works with. */
export interface ListWatchOptions {
  /** What is on offer. */
  readonly offer: Offer;
  /** Time. */
  readonly clock: Clock;
  /** Fires when the gateway ends. */
  readonly ended: AbortSignal;
  /** Told of a list that hosts see another one of, with how often each part of it has changed. */
  readonly onChanged: (list: ChangingList, versions: ListVersions) => void;
}

/** Finds out which of the merged lists beside the tools have changed, as hosts see them. */
export class ListWatch {
  readonly #options: ListWatchOptions;
  readonly #known = new Map<ListKind, number>();
  #isDue = false;

  /** The lists are as they are now. */
  constructor(options: ListWatchOptions) {
    this.#options = options;
    for (const list of WATCHED) this.#note(list);
  }

  /** Notes that a server may have listed something else. */
  changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    void this.#look();
  }

  async #look(): Promise<void> {
    const { clock, ended, onChanged } = this.#options;
    await clock.idle(GATHER_MS, ended);
    this.#isDue = false;
    if (ended.aborted) return;
    for (const list of WATCHED) {
      const versions = this.#note(list);
      if (versions !== null) onChanged(list, versions);
    }
  }

  /** Looks at a list; gives its versions when they are others than at the last look. */
  #note(list: WatchedList): ListVersions | null {
    const { prompts, resources } = this.#options.offer;
    const versions: ListVersions = list === "prompts" ? { prompts: prompts.list().version } : {
      resources: resources.list().version,
      resourceTemplates: resources.templates().version,
    };
    let isChanged = false;
    for (const kind of Object.keys(versions) as readonly ListKind[]) {
      const version = versions[kind] ?? 0;
      isChanged ||= this.#known.get(kind) !== version;
      this.#known.set(kind, version);
    }
    return isChanged ? versions : null;
  }
}
