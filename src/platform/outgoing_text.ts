/** What an {@linkcode OutgoingText} bears, and whom it tells of its end. */
export interface OutgoingTextOptions {
  /** Most characters that wait for a reader before it counts as gone. */
  readonly mostWaiting: number;
  /** Milliseconds that a reader may take for one piece before it counts as gone. */
  readonly stallMs: number;
  /** Called once, when the reader is gone before it had all. Must not throw. */
  readonly onGone?: () => void;
  /** Called once, when the reader has taken all to the end. Must not throw. */
  readonly onTaken?: () => void;
}

/** Characters that are given to the reader in one piece, unless one text is longer. */
const PIECE = 64 * 1024;

/**
 * Text on its way to a reader at the other end of a connection, piece by piece. Writing holds
 * nobody up; a reader for whom too much waits, or who takes too long, is cut off.
 */
export class OutgoingText {
  readonly #options: OutgoingTextOptions;
  #waiting: string[] = [];
  #size = 0;
  #state: "open" | "ended" | "taken" | "gone" = "open";
  #wake: (() => void) | null = null;
  #stalled: ReturnType<typeof setTimeout> | undefined;
  #onCut = (): void => {};

  /** Nothing waits. */
  constructor(options: OutgoingTextOptions) {
    this.#options = options;
  }

  /** Whether the reader is gone, or was cut off. */
  get isGone(): boolean {
    return this.#state === "gone";
  }

  /** Adds a text. Does nothing after the end. */
  push(text: string): void {
    if (this.#state !== "open") return;
    this.#waiting.push(text);
    this.#size += text.length;
    if (this.#size > this.#options.mostWaiting) this.cut();
    else this.#rouse();
  }

  /** Ends it once all was taken. */
  end(): void {
    if (this.#state !== "open") return;
    this.#state = "ended";
    this.#rouse();
  }

  /** Cuts the reader off, whatever it has not read yet. */
  cut(): void {
    if (!this.#isOver()) this.#onCut();
    this.abandon();
  }

  /** What the connection does to end at once; it is called at most once. */
  set onCut(cut: () => void) {
    this.#onCut = cut;
  }

  /** For the connection: notes that the reader is gone. */
  abandon(): void {
    if (this.#isOver()) return;
    this.#state = "gone";
    this.#waiting = [];
    this.#size = 0;
    clearTimeout(this.#stalled);
    this.#rouse();
    this.#options.onGone?.();
  }

  /**
   * For the connection: the next piece, once there is one; `null` at the end, or when the reader is
   * gone. Asking for it says that the one before was taken. Never rejects.
   */
  async take(): Promise<string | null> {
    clearTimeout(this.#stalled);
    while (this.#waiting.length === 0 && this.#state === "open") {
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    if (this.#waiting.length === 0) {
      if (this.#state === "ended") {
        this.#state = "taken";
        this.#options.onTaken?.();
      }
      return null;
    }
    const piece = this.#next();
    this.#stalled = setTimeout(() => this.cut(), this.#options.stallMs);
    return piece;
  }

  #next(): string {
    let count = 0;
    let size = 0;
    for (const text of this.#waiting) {
      if (count > 0 && size + text.length > PIECE) break;
      count++;
      size += text.length;
    }
    const [first = ""] = this.#waiting;
    if (size > PIECE) {
      // A surrogate pair must not be torn: each piece is encoded by itself.
      const cut = isHighSurrogate(first.charCodeAt(PIECE - 1)) ? PIECE - 1 : PIECE;
      this.#waiting[0] = first.slice(cut);
      this.#size -= cut;
      return first.slice(0, cut);
    }
    this.#size -= size;
    return this.#waiting.splice(0, count).join("");
  }

  #isOver(): boolean {
    return this.#state === "gone" || this.#state === "taken";
  }

  #rouse(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
