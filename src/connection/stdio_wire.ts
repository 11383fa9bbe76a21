import { Wire } from "./wire.ts";
import type { WireOptions } from "./wire_options.ts";

/** A wire over a child process. The SDK knows stdio by the two properties. */
export class StdioWire extends Wire {
  /** Process id of the server. */
  readonly pid: number;
  /** Not given to the SDK. */
  readonly stderr: null = null;

  /** Wraps a transport over the process `pid`. */
  constructor(options: WireOptions, pid: number) {
    super(options);
    this.pid = pid;
  }
}
