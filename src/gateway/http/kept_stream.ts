import { OutgoingText } from "../../platform/outgoing_text.ts";
import { ALIVE, eventText, primingText } from "./events.ts";
import type { HttpLimits } from "./limits.ts";

/** Connections of one stream at one time; the oldest goes first. */
const MOST_CONNECTIONS = 4;

/** A message, numbered within its stream. */
interface Kept {
  readonly number: number;
  readonly text: string;
  /** Names what a newer message of the same name makes needless; `null` for nothing. */
  readonly subject: string | null;
}

/**
 * A stream of a session, whether anybody is connected to it or not: what is sent while nobody is, and
 * the last of what was sent before, is kept for the client to come back for. Bounded; the oldest goes
 * first.
 */
export class KeptStream {
  /** Its name within the session. */
  readonly id: string;
  readonly #limits: HttpLimits;
  readonly #onChange: () => void;
  #kept: Kept[] = [];
  #keptCharacters = 0;
  #count = 0;
  /** Number of the last message that a connection was given. */
  #given = 0;
  #connections: OutgoingText[] = [];
  #isEnded = false;

  /**
   * Nobody is connected.
   * @param onChange Called when a connection has ended. Must not throw.
   */
  constructor(id: string, limits: HttpLimits, onChange: () => void = () => {}) {
    this.id = id;
    this.#limits = limits;
    this.#onChange = onChange;
  }

  /** Whether anybody is connected. */
  get isConnected(): boolean {
    return this.#connections.length > 0;
  }

  /** Characters of what is kept. */
  get keptCharacters(): number {
    return this.#keptCharacters;
  }

  /** Whether nothing more comes. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Whether nothing more comes, and all that came was given to somebody who took it. */
  get isOver(): boolean {
    return this.#isEnded && !this.isConnected && this.#kept.length === 0;
  }

  /**
   * Sends a message to the newest connection, or keeps it for the next.
   * @param subject Names what makes an older message needless that nobody was given yet.
   */
  send(text: string, subject: string | null = null): void {
    if (this.#isEnded) return;
    if (subject !== null) this.#forget((kept) => this.#isUngiven(kept) && kept.subject === subject);
    const kept = { number: ++this.#count, text, subject };
    this.#kept.push(kept);
    this.#keptCharacters += text.length;
    const { keptMessages, keptCharacters } = this.#limits;
    while (
      this.#kept.length > keptMessages ||
      (this.#kept.length > 1 && this.#keptCharacters > keptCharacters)
    ) {
      this.#keptCharacters -= this.#kept.shift()?.text.length ?? 0;
    }
    this.#give(this.#connections.at(-1), kept);
  }

  /**
   * Connects somebody, and gives what it has missed.
   * @param after Number of the last message that it has; `null` gives what nobody was given.
   * @param isPrimed Whether it is to have something to come back with before the first message.
   * @param onOver Called once, when it is connected no more. Must not throw.
   */
  connect(
    after: number | null,
    isPrimed: boolean,
    onOver: () => void = () => {},
  ): OutgoingText {
    const { mostWaiting, stallMs } = this.#limits;
    const connection = new OutgoingText({
      mostWaiting,
      stallMs,
      onGone: () => {
        this.#gone(connection);
        onOver();
      },
      onTaken: () => {
        this.#taken(connection);
        onOver();
      },
    });
    const from = after ?? this.#given;
    if (isPrimed) connection.push(primingText(`${this.id}-${from}`));
    this.#connections.push(connection);
    if (this.#connections.length > MOST_CONNECTIONS) this.#connections.shift()?.end();
    for (const kept of this.#kept) if (kept.number > from) this.#give(connection, kept);
    if (this.#isEnded) connection.end();
    return connection;
  }

  /** Gives every connection a sign of life. */
  alive(): void {
    for (const connection of this.#connections) connection.push(ALIVE);
  }

  /** Ends it: nothing more comes. What somebody may still come back for is kept. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const connection of this.#connections) connection.end();
  }

  #give(connection: OutgoingText | undefined, { number, text }: Kept): void {
    if (connection === undefined) return;
    this.#given = Math.max(this.#given, number);
    connection.push(eventText(text, `${this.id}-${number}`));
  }

  #gone(connection: OutgoingText): void {
    this.#connections = this.#connections.filter((other) => other !== connection);
    this.#onChange();
  }

  #taken(connection: OutgoingText): void {
    // Somebody has had all to the end.
    if (this.#isEnded) this.#forget(() => true);
    this.#gone(connection);
  }

  #isUngiven({ number }: Kept): boolean {
    return number > this.#given;
  }

  #forget(isNeedless: (kept: Kept) => boolean): void {
    this.#kept = this.#kept.filter((kept) => {
      if (!isNeedless(kept)) return true;
      this.#keptCharacters -= kept.text.length;
      return false;
    });
  }
}
