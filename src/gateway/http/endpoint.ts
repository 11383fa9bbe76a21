import type { HttpAnswer, HttpRequest } from "../../platform/http_listener.ts";
import type { HostFrame } from "../host_frames.ts";
import { LEGACY_VERSIONS } from "../protocol_versions.ts";
import { acceptedTypes, isJsonType } from "./accepted.ts";
import { Admission } from "./admission.ts";
import {
  ALREADY_OPEN,
  COMPRESSED,
  DRAINING,
  invalid,
  MODERN_BATCH,
  MORE_THAN_INITIALIZE,
  NO_EVENTS,
  NO_MESSAGE,
  NO_SESSION,
  NO_SESSION_ID,
  NOT_ACCEPTABLE,
  NOT_ADMITTED,
  refusal,
  SAME_ID,
  TOO_MANY_SESSIONS,
  unsupported,
} from "./endpoint_refusals.ts";
import { emptyAnswer, HEADER_MISMATCH, type Refusal, refusalAnswer } from "./http_answers.ts";
import { type LegacySession, SESSION_HEADER } from "./legacy_session.ts";
import { LegacySessions } from "./legacy_sessions.ts";
import { claimsModern, isModernVersion, modernRefusal } from "./modern_checks.ts";
import { ModernPosts, type ModernPostsOptions } from "./modern_posts.ts";
import { BodyReader, type PostBody } from "./post_body.ts";

/** A request, and who sent it. */
interface Asked {
  readonly request: HttpRequest;
  readonly principal: string;
}

type RequestFrame = HostFrame & { readonly kind: "request" };

/**
 * The endpoint of the protocol: one path for both eras. What a body says decides which it is, and the
 * headers must agree.
 */
export class Endpoint {
  readonly #bodies: BodyReader;
  readonly #requests: Admission;
  readonly #streams: Admission;
  readonly #sessions: LegacySessions;
  readonly #modern: ModernPosts;
  #isDraining = false;
  #onIdle = (): void => {};

  /** Nothing is under way. */
  constructor(options: ModernPostsOptions) {
    const { limits } = options;
    this.#bodies = new BodyReader(limits);
    this.#requests = new Admission({ ofOne: limits.requestsOfOne, inAll: limits.requests });
    this.#streams = new Admission({ ofOne: limits.streamsOfOne, inAll: limits.streams });
    this.#sessions = new LegacySessions(options);
    this.#modern = new ModernPosts(options);
  }

  /** Answers a request of a principal. Never rejects. */
  async answer(request: HttpRequest, principal: string): Promise<HttpAnswer> {
    const asked = { request, principal };
    switch (request.method) {
      case "POST":
        return await this.#post(asked);
      case "GET":
        return this.#get(asked);
      case "DELETE":
        return this.#delete(asked);
      default:
        return refusalAnswer({
          ...refusal(405, "Method not allowed"),
          headers: { allow: "GET, POST, DELETE" },
        });
    }
  }

  /** Gives every stream a sign of life, and ends what nobody uses. */
  alive(): void {
    this.#modern.alive();
    this.#sessions.alive();
  }

  /** Takes no more requests, answers those who listen, and resolves when nothing runs any more. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#modern.endListening();
    if (this.#requests.count === 0) return;
    await new Promise<void>((resolve) => this.#onIdle = resolve);
  }

  /** Cancels what runs and ends all sessions and streams. */
  close(): void {
    this.#isDraining = true;
    this.#modern.close();
    this.#sessions.close();
  }

  async #post(asked: Asked): Promise<HttpAnswer> {
    const { request, principal } = asked;
    if (!isJsonType(request.header("content-type"))) {
      return refusalAnswer(refusal(415, "Unsupported media type: it must be application/json"));
    }
    if ((request.header("content-encoding") ?? "identity") !== "identity") {
      return refusalAnswer(COMPRESSED);
    }
    const body = await this.#bodies.read(request, principal);
    if (!("frames" in body)) return refusalAnswer(body);
    const [frame] = body.frames;
    if (frame === undefined) return refusalAnswer(NO_MESSAGE);
    for (const each of body.frames) {
      if (each.kind === "invalid") return refusalAnswer(invalid(each));
    }
    const version = request.header("mcp-protocol-version");
    if (body.isBatch) {
      const isModern = body.frames.some((each) => "params" in each && claimsModern(each.params));
      return isModern ? refusalAnswer(MODERN_BATCH) : this.#legacy(asked, body, version);
    }
    if (frame.kind !== "request" && frame.kind !== "notification") {
      return this.#legacy(asked, body, version);
    }
    const claims = claimsModern(frame.params);
    if (!claims && !isModernVersion(version)) return this.#legacy(asked, body, version);
    if (!claims && frame.kind === "request" && frame.method === "initialize") {
      return refusalAnswer({
        ...refusal(400, `Bad Request: "initialize" is of an era before ${version}`),
        code: HEADER_MISMATCH,
        id: frame.id,
      });
    }
    return await this.#modernPost(asked, frame, version);
  }

  #modernPost(
    { request, principal }: Asked,
    frame: HostFrame & { readonly kind: "request" | "notification" },
    version: string | null,
  ): HttpAnswer | Promise<HttpAnswer> {
    const refused = modernRefusal(frame, {
      version,
      method: request.header("mcp-method"),
      name: request.header("mcp-name"),
    });
    if (refused !== null) return refusalAnswer(refused);
    // A notification has nothing here that it could be about: what is cancelled is closed.
    if (frame.kind === "notification") return emptyAnswer(202);
    const { json, events } = acceptedTypes(request.header("accept"));
    const listens = frame.method === "subscriptions/listen";
    if (!(listens ? events : json)) return refusalAnswer({ ...NOT_ACCEPTABLE, id: frame.id });
    const admitted = this.#admit(listens ? this.#streams : this.#requests, principal);
    if ("status" in admitted) return refusalAnswer({ ...admitted, id: frame.id });
    const { onDone } = admitted;
    return this.#modern.answer({ frame, request, principal, takesEvents: events, onDone });
  }

  #legacy(
    { request, principal }: Asked,
    body: PostBody,
    version: string | null,
  ): HttpAnswer | Promise<HttpAnswer> {
    const { json, events } = acceptedTypes(request.header("accept"));
    if (!json || !events) return refusalAnswer(NOT_ACCEPTABLE);
    const requests = body.frames.filter((frame): frame is RequestFrame => frame.kind === "request");
    const [first] = requests;
    const opens = requests.some(({ method }) => method === "initialize");
    if (opens && body.frames.length > 1) return refusalAnswer(MORE_THAN_INITIALIZE);
    const id = request.header(SESSION_HEADER);
    const found = this.#session(id, principal, version, opens);
    if (found !== null && "status" in found) {
      return refusalAnswer(first === undefined ? found : { ...found, id: first.id });
    }
    if (first === undefined) {
      found?.take(body.frames);
      return emptyAnswer(202);
    }
    if (found !== null && opens) return refusalAnswer({ ...ALREADY_OPEN, id: first.id });
    const twice = requests.find((each, index) =>
      found?.isRunning(each.id) === true ||
      requests.findIndex((other) => other.id === each.id) !== index
    );
    if (twice !== undefined) return refusalAnswer({ ...SAME_ID, id: twice.id });
    const admitted = this.#admit(this.#requests, principal, requests.length);
    if ("status" in admitted) return refusalAnswer({ ...admitted, id: first.id });
    const session = found ?? this.#sessions.open(principal);
    if (session === null) {
      admitted.onDone();
      return refusalAnswer({ ...TOO_MANY_SESSIONS, id: first.id });
    }
    const { frames, isBatch } = body;
    return session.answer({ frames, isBatch, takesEvents: events, onDone: admitted.onDone });
  }

  #get({ request, principal }: Asked): HttpAnswer {
    if (!acceptedTypes(request.header("accept")).events) return refusalAnswer(NO_EVENTS);
    const version = request.header("mcp-protocol-version");
    const session = this.#session(request.header(SESSION_HEADER), principal, version, false);
    if (session === null) return refusalAnswer(NO_SESSION_ID);
    if ("status" in session) return refusalAnswer(session);
    const admitted = this.#admit(this.#streams, principal);
    if ("status" in admitted) return refusalAnswer(admitted);
    return session.listen(request.header("last-event-id"), admitted.onDone);
  }

  #delete({ request, principal }: Asked): HttpAnswer {
    const version = request.header("mcp-protocol-version");
    const session = this.#session(request.header(SESSION_HEADER), principal, version, false);
    if (session === null) return refusalAnswer(NO_SESSION_ID);
    if ("status" in session) return refusalAnswer(session);
    this.#sessions.end(session);
    return emptyAnswer(200);
  }

  /** The session that is named; `null` when one is to be opened. */
  #session(
    id: string | null,
    principal: string,
    version: string | null,
    opens: boolean,
  ): LegacySession | Refusal | null {
    if (version !== null && !LEGACY_VERSIONS.includes(version)) return unsupported(version);
    if (id === null) return opens ? null : NO_SESSION_ID;
    return this.#sessions.find(id, principal) ?? NO_SESSION;
  }

  #admit(
    admission: Admission,
    principal: string,
    count: number = 1,
  ): { readonly onDone: () => void } | Refusal {
    if (this.#isDraining) return DRAINING;
    const problem = admission.enter(principal, count);
    if (problem !== null) return NOT_ADMITTED[problem];
    return {
      onDone: (): void => {
        admission.leave(principal, count);
        if (this.#requests.count === 0) this.#onIdle();
      },
    };
  }
}
