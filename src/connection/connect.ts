import { abortedError } from "../model/abort.ts";
import { textMasker } from "../definitions/secrets.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import type { ResolvedConfig } from "../model/definition.ts";
import { HotplugError, toHotplugError } from "../model/errors.ts";
import { hostLogger } from "../model/log.ts";
import { VERSION } from "../model/version.ts";
import { clientCapabilities } from "./client_capabilities.ts";
import type { ConnectContext, ConnectOptions } from "./connect_options.ts";
import { HostSide } from "./host_side.ts";
import { maskedError, maskedLogger } from "./masking.ts";
import { StartClock } from "./start_clock.ts";

export type { ConnectOptions };

/**
 * Starts or reaches one server and shakes hands with it. When it rejects, nothing is left behind:
 * no process, no open connection.
 *
 * @param config With `cwd` absolute.
 * @throws {HotplugError} `aborted`, `start-timeout`, `program-not-found`, `server-exited`,
 * `handshake-failed`, `server-unreachable`, `needs-auth`, `unauthorized`, `config-invalid`,
 * `connection-closed`, `message-too-large`.
 */
export async function connectToServer(
  name: string,
  config: ResolvedConfig,
  options: ConnectOptions,
): Promise<MCPServerConnection> {
  if (options.signal?.aborted === true) throw abortedError(options.signal);
  const { type, command, url } = config;
  const isStdio = type === "stdio" ||
    (type === undefined && (command !== undefined || url === undefined));
  if (isStdio ? command === undefined : url === undefined) {
    throw new HotplugError(
      "config-invalid",
      isStdio
        ? "stdio transport requires command"
        : `${type ?? "streamable_http"} transport requires url`,
    );
  }
  const clock = new StartClock(options.timeout, options.signal);
  const mask = textMasker(options.secrets ?? []);
  const capabilities = clientCapabilities(options.handlers, options.capabilities);
  const log = maskedLogger(hostLogger(options.log), mask);
  const { handlers, onNotification, onLogMessage, onResourceUpdated } = options;
  const context: ConnectContext = {
    ...options,
    name,
    config,
    clock,
    mask,
    capabilities,
    clientInfo: options.clientInfo ?? { name: "hotplug", version: VERSION },
    host: new HostSide({
      name,
      handlers,
      capabilities,
      onNotification,
      onLogMessage,
      onResourceUpdated,
      mask,
      log,
    }),
    log,
  };
  try {
    // Only what this server needs: the other way is as much code again.
    if (isStdio) return await (await import("./connect_stdio.ts")).connectStdio(context);
    return await (await import("./connect_http.ts")).connectHttp(context);
  } catch (thrown) {
    throw maskedError(toHotplugError(thrown), mask);
  } finally {
    clock.stop();
  }
}
