import type { ServerConfig } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { PlaceholderDialect } from "../model/source.ts";

/** A server that is to be written to a file. */
export interface NewServer {
  /** Its name. */
  readonly name: string;
  /** What it is started with, in canonical form. */
  readonly config: ServerConfig;
  /** How the placeholders in it are written. */
  readonly dialect: PlaceholderDialect;
  /** Why it cannot be used as it was given; it is then refused alone. */
  readonly problems?: readonly ErrorInfo[];
  /** What was odd about it where it comes from. */
  readonly warnings?: readonly string[];
  /** What is known of the values that only the user can give, each with its `id`. */
  readonly inputs?: readonly JsonObject[];
}
