import type { Transport } from "@modelcontextprotocol/client";
import type { FrameId } from "./frames.ts";

/** What the SDK tells of a message beside it. */
type SdkExtra = NonNullable<Parameters<NonNullable<Transport["onmessage"]>>[1]>;

/** What our transports tell of a message beside it. */
export interface MessageExtra extends SdkExtra {
  /** Id of the request on whose stream it came. */
  readonly originId?: FrameId;
  /** The JSON of the result that it holds, as it was written. */
  readonly resultText?: string;
}
