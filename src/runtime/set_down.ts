import type { MCPServerConnection } from "../model/connection.ts";
import type { ManagerParts } from "./manager_parts.ts";
import type { WantedServer } from "./reconcile.ts";
import { NO_LISTS } from "./server_row.ts";
import { offerTools } from "./runtime_parts.ts";
import { notConnected } from "./unavailable.ts";

/** A server that was ended to be started anew. */
export interface ServerSetDown {
  /** Resolves when its process is gone. Bounded, never rejects. */
  readonly closed: Promise<void>;
  /** Hands the calls that wait over to the attempt that has begun, or fails them without one. */
  resume(): void;
}

/**
 * Ends a server that is to be started anew: its tools stay on offer, and calls wait for the new
 * connection. The old process is gone before the new one starts, since both may need one port or
 * one file.
 */
export function setDown(
  name: string,
  next: WantedServer | undefined,
  parts: ManagerParts,
): ServerSetDown {
  const { attempts, registries } = parts;
  const { rows, connections, pendingConnections } = registries;
  const old = connections.get(name);
  const row = rows.get(name);
  const ended = [attempts.abandon(name), old?.close()];
  connections.delete(name);
  const coming = Promise.withResolvers<MCPServerConnection>();
  coming.promise.catch(() => {});
  pendingConnections.set(name, coming.promise);
  rows.update(name, {
    state: "connecting",
    error: null,
    connection: null,
    lists: NO_LISTS,
    cached: null,
    warnings: [],
    ...(next === undefined ? {} : { config: next.config, source: next.source }),
  });
  const listed = row?.lists.tools?.items ?? row?.cached?.tools ?? null;
  const isOffered = parts.tools.toolsOf(name) !== undefined;
  let offered: number | null = null;
  if (listed !== null && next !== undefined && isOffered) {
    offerTools(parts, next, listed, "deferred", (count) => {
      offered = count;
      rows.update(name, { offered });
    });
  }
  return {
    closed: Promise.allSettled(ended).then(() => {}),
    resume(): void {
      const pending = pendingConnections.get(name);
      if (pending !== undefined && pending !== coming.promise) {
        if (offered !== null) rows.update(name, { offered });
        return coming.resolve(pending);
      }
      if (pending === coming.promise) pendingConnections.delete(name);
      rows.disconnect(name);
      coming.reject(notConnected(name, "disconnected"));
    },
  };
}
