import type { HttpAnswer, HttpRequest } from "../../platform/http_listener.ts";
import type { Endpoint } from "./endpoint.ts";
import { type HealthFacts, healthText } from "./health.ts";
import type { HostRules } from "./host_rules.ts";
import { emptyAnswer, JSON_HEADERS, jsonAnswer, refusalAnswer, REFUSED } from "./http_answers.ts";
import type { Principals } from "./principals.ts";

/** Path of the protocol's endpoint. */
export const ENDPOINT_PATH = "/mcp";

/** Path where a supervisor asks whether all is well. */
export const HEALTH_PATH = "/healthz";

/** Seconds for which a browser may remember what it was told of a foreign page's rights. */
const PREFLIGHT_SECONDS = "600";

/** Headers that a page may send. */
const PAGE_HEADERS = [
  "authorization",
  "content-type",
  "accept",
  "last-event-id",
  "mcp-session-id",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
];

/** What a {@linkcode Front} looks at before anything else. */
export interface FrontOptions {
  /** Which names and pages are right. */
  readonly rules: HostRules;
  /** Who is known. */
  readonly principals: Principals;
  /** Where the protocol is spoken. */
  readonly endpoint: Endpoint;
  /** How it stands. */
  readonly health: () => HealthFacts;
}

/**
 * What every request meets first: is it meant for this gateway, does it come from a page that may
 * use it, and who sends it. Only then anything of it is read.
 */
export class Front {
  readonly #options: FrontOptions;

  /** Lets nobody in that is not known. */
  constructor(options: FrontOptions) {
    this.#options = options;
  }

  /** Answers a request. Never rejects. */
  async answer(request: HttpRequest): Promise<HttpAnswer> {
    const { rules } = this.#options;
    const origin = request.header("origin");
    if (origin === null || !rules.allows(origin)) return await this.#answer(request, origin);
    if (request.method === "OPTIONS" && rules.isHost(request.header("host"))) {
      return emptyAnswer(204, preflightHeaders(origin, request));
    }
    const answer = await this.#answer(request, origin);
    return { ...answer, headers: { ...answer.headers, ...pageHeaders(origin) } };
  }

  async #answer(request: HttpRequest, origin: string | null): Promise<HttpAnswer> {
    const { rules, principals, endpoint } = this.#options;
    const path = pathOf(request.target);
    const host = request.header("host");
    const isHost = rules.isHost(host);
    if (path === HEALTH_PATH) return this.#health(request, isHost);
    if (!isHost) return forbidden("Host names something else than this gateway", "--allowed-host");
    if (!rules.isOrigin(origin, host ?? "")) {
      return forbidden("Origin is a page that may not use this gateway", "--allowed-origin");
    }
    if (path !== ENDPOINT_PATH) {
      return refusalAnswer({
        status: 404,
        code: REFUSED,
        message: `Not found: the endpoint is ${ENDPOINT_PATH}`,
      });
    }
    const authorization = request.header("authorization");
    const principal = principals.of(authorization);
    if (principal === null) return unauthorized(authorization !== null);
    return await endpoint.answer(request, principal);
  }

  /** A supervisor has no token and calls the machine by any name; it learns no more than counts. */
  #health({ method }: HttpRequest, isHost: boolean): HttpAnswer {
    if (method !== "GET" && method !== "HEAD") {
      return emptyAnswer(405, { allow: "GET, HEAD" });
    }
    const facts = this.#options.health();
    const headers = { ...JSON_HEADERS, "cache-control": "no-store" };
    const body = method === "HEAD" ? "" : healthText(facts, isHost);
    return jsonAnswer(facts.isDraining ? 503 : 200, body, headers);
  }
}

function pathOf(target: string): string {
  const query = target.indexOf("?");
  return query < 0 ? target : target.slice(0, query);
}

function forbidden(why: string, flag: string): HttpAnswer {
  const message = `Forbidden: ${why} (to allow it: mcp serve --http ${flag})`;
  return refusalAnswer({ status: 403, code: REFUSED, message });
}

function unauthorized(showsSomething: boolean): HttpAnswer {
  const challenge = showsSomething ? 'Bearer error="invalid_token"' : "Bearer";
  return refusalAnswer({
    status: 401,
    code: REFUSED,
    message: "Unauthorized: a token of this gateway is needed, as Authorization: Bearer <token>",
    headers: { "www-authenticate": challenge },
  });
}

function pageHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "mcp-session-id, www-authenticate, retry-after",
    vary: "Origin",
  };
}

function preflightHeaders(origin: string, request: HttpRequest): Readonly<Record<string, string>> {
  // A tool's parameters may stand in headers, whose names nobody knows beforehand.
  const asked = (request.header("access-control-request-headers") ?? "").toLowerCase().split(",")
    .map((name) => name.trim()).filter((name) => /^mcp-param-[a-z0-9_.-]{1,64}$/.test(name));
  return {
    ...pageHeaders(origin),
    "access-control-allow-methods": "GET, POST, DELETE",
    "access-control-allow-headers": [...PAGE_HEADERS, ...asked].join(", "),
    "access-control-max-age": PREFLIGHT_SECONDS,
  };
}
