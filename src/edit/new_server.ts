import type { ServerConfig } from "../model/definition.ts";
import type { PlaceholderDialect } from "../model/source.ts";

/** A server that is to be written to a file. */
export interface NewServer {
  /** Its name. */
  readonly name: string;
  /** What it is started with, in canonical form. */
  readonly config: ServerConfig;
  /** How the placeholders in it are written. */
  readonly dialect: PlaceholderDialect;
  /** What was odd about it where it comes from. */
  readonly warnings?: readonly string[];
}
