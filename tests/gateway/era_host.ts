import type { TempHome } from "../harness/temp_home.ts";
import { type Message, RawHost, type RawHostOptions } from "./raw_host.ts";

/** Which protocol a host speaks. */
export type HostEra = "legacy" | "modern";

/** Every era. */
export const HOST_ERAS: readonly HostEra[] = ["legacy", "modern"];

const KEY = "io.modelcontextprotocol/";

/** A {@linkcode RawHost} that speaks one era of the protocol. */
export class EraHost implements AsyncDisposable {
  /** What writes and reads. */
  readonly raw: RawHost;
  /** Which era it speaks. */
  readonly era: HostEra;

  private constructor(era: HostEra, raw: RawHost) {
    this.era = era;
    this.raw = raw;
  }

  /** Starts a gateway and opens the conversation. */
  static async open(home: TempHome, era: HostEra, options: RawHostOptions = {}): Promise<EraHost> {
    const host = new EraHost(era, new RawHost(home, options));
    if (era === "legacy") await host.raw.initialize();
    return host;
  }

  /** Sends a request, and gives its id. */
  async start(method: string, params: Message = {}): Promise<number> {
    const { _meta, ...rest } = params;
    const envelope = this.era === "legacy" ? {} : {
      [`${KEY}protocolVersion`]: "2026-07-28",
      [`${KEY}clientInfo`]: { name: "era-host", version: "1.0.0" },
      [`${KEY}clientCapabilities`]: {},
    };
    const meta = { ...envelope, ...(_meta as Message | undefined) };
    return await this.raw.start(method, {
      ...rest,
      ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
    });
  }

  /** Sends a request, and gives its answer. */
  async ask(method: string, params: Message = {}): Promise<Message> {
    return await this.raw.answer(await this.start(method, params));
  }

  /** The result of a request; the test fails when there is none. */
  async result(method: string, params: Message = {}): Promise<Message> {
    const answer = await this.ask(method, params);
    const result = answer["result"];
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(answer)}`);
    return result as Message;
  }

  /** One field of each item of a list. */
  async list(method: string, list: string, field: string): Promise<readonly string[]> {
    const items = (await this.result(method))[list] as readonly Message[];
    return items.map((item) => String(item[field]));
  }

  /** The first text of a tool's result. */
  async text(name: string, args: Message = {}): Promise<string> {
    const { content } = await this.result("tools/call", { name, arguments: args });
    return String((content as readonly Message[])[0]?.["text"]);
  }

  /**
   * Asks to be told of changes, in the way of the era; gives the id of the stream, or `null`. Resolves
   * when it is.
   */
  async listen(notifications: Message): Promise<number | null> {
    if (this.era === "legacy") {
      for (const uri of (notifications["resourceSubscriptions"] ?? []) as readonly string[]) {
        await this.result("resources/subscribe", { uri });
      }
      return null;
    }
    const id = await this.start("subscriptions/listen", { notifications });
    await this.raw.first(({ method, params }) =>
      method === "notifications/subscriptions/acknowledged" && streamOf(params) === id
    );
    return id;
  }

  /** The params of all notifications of a kind so far. */
  heard(method: string): readonly Message[] {
    return this.raw.messages.filter((message) => message["method"] === method)
      .map(({ params }) => (params ?? {}) as Message);
  }

  /** Ends it as a host does. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.raw[Symbol.asyncDispose]();
  }
}

/** The stream that a notification belongs to. */
export function streamOf(params: unknown): unknown {
  const meta = (params as Message | undefined)?.["_meta"] as Message | undefined;
  return meta?.[`${KEY}subscriptionId`];
}
