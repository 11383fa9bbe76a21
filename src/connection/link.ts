import type { Client } from "@modelcontextprotocol/client";
import type { TransportType } from "../model/definition.ts";
import type { JsonObject } from "../model/json.ts";
import type { ServerIdentity } from "../model/listing.ts";
import type { ProtocolEra } from "../model/server_view.ts";
import type { Wire } from "./wire.ts";

/** A transport after its handshake: what one connection speaks through at one time. */
export interface Link {
  /** The SDK's client, for streams of changes. */
  readonly client: Client;
  /** Our requests. */
  readonly wire: Wire;
  /** Transport in use. */
  readonly transport: TransportType;
  /** Protocol in use. */
  readonly protocol: { readonly era: ProtocolEra; readonly version: string };
  /** What the server calls itself. */
  readonly server: ServerIdentity;
  /** What it declares, as received. */
  readonly capabilities: JsonObject;
  /** Its instructions; empty when it gave none. */
  readonly instructions: string;
  /** Ends client, wire and, over HTTP, the transport with its session: bounded, never rejects. */
  close(): Promise<void>;
}
