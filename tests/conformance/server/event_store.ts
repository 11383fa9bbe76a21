import type { JsonObject } from "../../../mod.ts";

/** What a session of the SDK's 1.x line keeps its events in. */
export interface EventStore {
  /** Keeps an event of a stream; gives its id. */
  storeEvent(stream: string, message: JsonObject): Promise<string>;
  /** Sends every later event of the same stream; gives the stream. */
  replayEventsAfter(last: string, replay: Replay): Promise<string>;
}

/** Where events go that a host has missed. */
export interface Replay {
  /** Sends one. */
  readonly send: (id: string, message: JsonObject) => Promise<void>;
}

/** Keeps every event of a session, so that a host that lost a stream can have the rest of it. */
export function makeEventStore(): EventStore {
  const events: { readonly stream: string; readonly message: JsonObject }[] = [];
  return {
    storeEvent(stream, message): Promise<string> {
      return Promise.resolve(String(events.push({ stream, message }) - 1));
    },
    async replayEventsAfter(last, { send }): Promise<string> {
      const stream = events[Number(last)]?.stream;
      if (stream === undefined) throw new Error("Cannot resume: no such event");
      for (let id = Number(last) + 1; id < events.length; id++) {
        const event = events[id];
        if (event?.stream === stream) await send(String(id), event.message);
      }
      return stream;
    },
  };
}
