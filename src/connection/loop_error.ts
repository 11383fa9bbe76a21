import { HotplugError } from "../model/errors.ts";
import { LONGEST_CHAIN, type Loop } from "../model/session_chain.ts";

const MESSAGES: Readonly<Record<Loop, string>> = {
  "itself": "It leads back to a gateway that this session runs in, or is itself",
  "same-workspace": "It is Hotplug's own gateway, whose servers are started here anyway",
  "too-deep": `${LONGEST_CHAIN} sessions of Hotplug run inside each other, and no more may`,
};

/** Why a server takes no part that turned out to be a gateway which would lead back here. */
export function loopError(name: string, loop: Loop): HotplugError {
  return new HotplugError("gateway-loop", MESSAGES[loop], {
    hint: "Nothing to do; its tools are here without it",
    details: { server: name, loop },
  });
}
