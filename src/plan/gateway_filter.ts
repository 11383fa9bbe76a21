import { startsOwnGateway } from "../definitions/own_gateway.ts";
import { servedByConfig } from "../definitions/served_host.ts";
import type { Definition } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";

/** Name of the entry by which hosts start Hotplug. */
const ENTRY = "hotplug";

/**
 * Why a definition is left out that starts Hotplug's own gateway, such as those that
 * `mcp hooks install` writes; `null` for any other. Its servers are here anyway, and would each run
 * twice.
 */
export function gatewayFilter({ name, config }: Definition): ErrorInfo | null {
  const served = name === ENTRY ? servedByConfig(config) : null;
  if (served !== null) {
    return {
      code: "server-not-runnable",
      message: `Left out: it is Hotplug itself, as ${served.kind} starts it`,
      hint: `Nothing to do; to take it away from that host: mcp hooks uninstall ${served.kind}`,
    };
  }
  if (!startsOwnGateway(config, null)) return null;
  return {
    code: "server-not-runnable",
    message: "Left out: it is Hotplug's own gateway, whose servers are here anyway",
    hint: "Nothing to do; it is there for the host whose file it stands in",
  };
}
