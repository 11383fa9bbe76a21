import { Conversation } from "./conversation.ts";
import { Gateway, type GatewayOptions } from "./gateway.ts";
import { HostChannel, type HostInput, type HostOutput } from "./host_channel.ts";
import { parentGone } from "./parent_watch.ts";

/** What {@linkcode serveStdio} takes. */
export interface ServeStdioOptions extends GatewayOptions {
  /** What the host writes into. */
  readonly input: HostInput;
  /** What the host reads from. */
  readonly output: HostOutput;
  /** Whether the host is told what becomes of each server. Default `false`. */
  readonly tellsStatus?: boolean;
  /** Looks whether the process that started this one is still there. */
  readonly isParentAlive: () => boolean;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Serves one host over two streams until it closes one of them, is gone, or the signal aborts. Then
 * everything that runs is cancelled, and every server is ended. Never rejects.
 */
export async function serveStdio(options: ServeStdioOptions): Promise<void> {
  const { input, output, tellsStatus = false, isParentAlive, signal, clock, log } = options;
  const gateway = new Gateway(options);
  const ended = new AbortController();
  const end = (): void => ended.abort();
  const channel = new HostChannel({ input, output, onLine: (line) => conversation.take(line) });
  const conversation = new Conversation({
    gateway,
    link: { send: (message) => channel.send(message), isBehind: () => channel.isBehind },
    tellsStatus,
    log,
  });
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  void channel.ended.then(end);
  void parentGone(isParentAlive, clock, ended.signal).then(end);
  if (!ended.signal.aborted) {
    await new Promise((resolve) => ended.signal.addEventListener("abort", resolve, { once: true }));
  }
  signal.removeEventListener("abort", end);
  conversation.close();
  await Promise.all([gateway.close(), channel.close()]);
}
