import { randomBytes } from "node:crypto";
import { LegacySession, type LegacySessionOptions } from "./legacy_session.ts";
import { LostStreams } from "./lost_streams.ts";

/** Bytes of a session's id: nobody guesses it. */
const ID_BYTES = 24;

/** The sessions of all hosts of the legacy era. */
export class LegacySessions {
  readonly #options: Omit<LegacySessionOptions, "id" | "principal" | "lost">;
  readonly #sessions = new Map<string, LegacySession>();
  readonly #lost = new Map<string, LostStreams>();

  /** None is open. */
  constructor(options: Omit<LegacySessionOptions, "id" | "principal" | "lost">) {
    this.#options = options;
  }

  /** The session of an id, if it is one of this principal's; anybody else's is not known. */
  find(id: string, principal: string): LegacySession | null {
    const session = this.#sessions.get(id);
    return session?.principal === principal ? session : null;
  }

  /**
   * Opens a session. Where there are too many, the one ends that was not used for longest.
   * @returns `null` when all that could end are in use.
   */
  open(principal: string): LegacySession | null {
    const { sessions, sessionsOfOne, lostCharacters } = this.#options.limits;
    const own = [...this.#sessions.values()].filter((session) => session.principal === principal);
    if (own.length >= sessionsOfOne && !this.#endIdlest(own)) return null;
    if (this.#sessions.size >= sessions && !this.#endIdlest(this.#sessions.values())) return null;
    const id = randomBytes(ID_BYTES).toString("base64url");
    const lost = this.#lost.get(principal) ?? new LostStreams(lostCharacters);
    this.#lost.set(principal, lost);
    const session = new LegacySession({ ...this.#options, id, principal, lost });
    this.#sessions.set(id, session);
    return session;
  }

  /** Ends a session. */
  end(session: LegacySession): void {
    this.#sessions.delete(session.id);
    session.close();
  }

  /** Gives signs of life, and ends the sessions that nobody uses. */
  alive(): void {
    for (const session of this.#sessions.values()) {
      if (session.idleMs > this.#options.limits.sessionIdleMs) this.end(session);
      else session.alive();
    }
  }

  /** Ends all. */
  close(): void {
    for (const session of [...this.#sessions.values()]) this.end(session);
  }

  #endIdlest(sessions: Iterable<LegacySession>): boolean {
    let idlest: LegacySession | null = null;
    for (const session of sessions) {
      if (session.idleMs > (idlest?.idleMs ?? 0)) idlest = session;
    }
    if (idlest !== null) this.end(idlest);
    return idlest !== null;
  }
}
