import assert from "node:assert/strict";
import { HTTP_LIMITS, type HttpLimits } from "../../../src/gateway/http/limits.ts";
import { serveHttp } from "../../../src/gateway/http/serve_http.ts";
import { LoopGuard } from "../../../src/gateway/loop_guard.ts";
import { openSessionBehind, previewBehind } from "../../../src/gateway/open_session.ts";
import { silentLogger } from "../../../src/model/log.ts";
import { machineClock } from "../../../src/runtime/clock.ts";
import { leftoversOfHome } from "../../harness/living_processes.ts";
import { machineOf, makeTempHome } from "../../harness/temp_home.ts";
import type { Message } from "../raw_host.ts";
import { ENVELOPE, INITIALIZE } from "./served.ts";

/** The tokens of {@linkcode Limited}, by principal. */
const TOKENS = { alice: "alice-0123456789abcdef", bob: "bob-0123456789abcdef" } as const;

/** A gateway with limits of a test's own. */
export interface Limited {
  /** Where it is found. */
  readonly url: string;
  /** Posts a message. */
  post(
    principal: keyof typeof TOKENS,
    message: Message,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** Posts a text. */
  postText(
    principal: keyof typeof TOKENS,
    text: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** Calls a tool in the modern era. */
  call(principal: keyof typeof TOKENS, name: string, args?: Message): Promise<Response>;
  /** Opens a session; gives its headers, or the response that refuses it. */
  open(principal: keyof typeof TOKENS): Promise<Readonly<Record<string, string>> | Response>;
  /** Opens the stream of a session, or another request without a body. */
  get(
    principal: keyof typeof TOKENS,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response>;
}

/** A test of a gateway in this process, over real servers, with limits of its own. */
export function limited(
  name: string,
  limits: Partial<HttpLimits>,
  servers: Readonly<Record<string, unknown>>,
  test: (gateway: Limited) => Promise<void>,
): void {
  Deno.test(name, async () => {
    const home = await makeTempHome();
    const ended = new AbortController();
    try {
      await home.write("home/.claude.json", { mcpServers: servers });
      const loops = new LoopGuard({ env: {}, workspacePath: null });
      const behind = {
        loops,
        patterns: { only: [], except: [] },
        profile: null,
        session: { machine: machineOf(home), log: silentLogger, naming: "server", watch: false },
      } as const;
      const { promise: ready, resolve: onReady } = Promise.withResolvers<string>();
      const serving = serveHttp({
        open: openSessionBehind(behind),
        preview: previewBehind(behind),
        profile: null,
        patterns: behind.patterns,
        loops,
        clock: machineClock,
        log: silentLogger,
        host: "127.0.0.1",
        port: 0,
        tokens: Object.entries(TOKENS).map(([principal, token]) => ({ principal, token })),
        allowedHosts: [],
        allowedOrigins: [],
        limits: { ...HTTP_LIMITS, ...limits },
        onReady,
        signal: ended.signal,
        drainMs: () => 0,
      });
      try {
        await test(limitedAt(await ready));
      } finally {
        ended.abort();
        await serving;
      }
      assert.deepEqual(await leftoversOfHome(home.home), []);
    } finally {
      ended.abort();
      await home.remove();
    }
  });
}

function limitedAt(url: string): Limited {
  let id = 0;
  const postText: Limited["postText"] = (principal, text, headers = {}) =>
    fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${TOKENS[principal]}`,
        "content-type": "application/json",
        ...headers,
      },
      body: text,
    });
  const post: Limited["post"] = (principal, message, headers) =>
    postText(principal, JSON.stringify({ jsonrpc: "2.0", ...message }), headers);
  return {
    url,
    post,
    postText,
    call: (principal, name, args = {}) =>
      post(principal, {
        id: ++id,
        method: "tools/call",
        params: { name, arguments: args, _meta: ENVELOPE },
      }, {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": name,
      }),
    async open(principal): Promise<Readonly<Record<string, string>> | Response> {
      const response = await post(principal, {
        id: ++id,
        method: "initialize",
        params: INITIALIZE,
      });
      const session = response.headers.get("mcp-session-id");
      if (session === null) return response;
      await response.body?.cancel();
      return { "mcp-session-id": session };
    },
    get: (principal, headers) =>
      fetch(url, {
        headers: {
          authorization: `Bearer ${TOKENS[principal]}`,
          accept: "text/event-stream",
          ...headers,
        },
      }),
  };
}
