/**
 * SHA-256 (FIPS 180-4) of short texts, computed at once.
 *
 * Public names must be known synchronously, `crypto.subtle` only answers later, and importing
 * `node:crypto` costs more than all names of a session together. Never used for secrets.
 */

/** Round constants: the first 32 bits of the fractional parts of the cube roots of 64 primes. */
const ROUND_CONSTANTS: Uint32Array = fractionalBits(64, Math.cbrt);

/** Initial state: the same of the square roots of the first 8 primes. */
const INITIAL_STATE: Uint32Array = fractionalBits(8, Math.sqrt);

/** The SHA-256 digest of a text's UTF-8 bytes, as 64 lower-case hexadecimal digits. */
export function sha256HexNow(text: string): string {
  const state = Uint32Array.from(INITIAL_STATE);
  const schedule = new Uint32Array(64);
  const blocks = padded(new TextEncoder().encode(text));
  for (let offset = 0; offset < blocks.byteLength; offset += 64) {
    compress(state, schedule, blocks, offset);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

/** The message, a 1 bit, zeros, and the message's length in bits: a multiple of 64 bytes. */
function padded(message: Uint8Array): DataView {
  const length = Math.ceil((message.length + 9) / 64) * 64;
  const bytes = new Uint8Array(length);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(length - 8, Math.floor(message.length / 0x2000_0000));
  view.setUint32(length - 4, (message.length * 8) >>> 0);
  return view;
}

/** Folds one block of 64 bytes into the state. */
function compress(
  state: Uint32Array,
  schedule: Uint32Array,
  blocks: DataView,
  offset: number,
): void {
  const word = (index: number): number => schedule[index] ?? 0;
  for (let index = 0; index < 16; index++) schedule[index] = blocks.getUint32(offset + index * 4);
  for (let index = 16; index < 64; index++) {
    const early = word(index - 15);
    const late = word(index - 2);
    const mixedEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const mixedLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[index] = word(index - 16) + mixedEarly + word(index - 7) + mixedLate;
  }
  let [a, b, c, d, e, f, g, h] = Array.from(state) as EightWords;
  for (let index = 0; index < 64; index++) {
    const mixedE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + mixedE + choice + (ROUND_CONSTANTS[index] ?? 0) + word(index)) >>> 0;
    const mixedA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = (mixedA + majority) >>> 0;
    [h, g, f, e] = [g, f, e, (d + first) >>> 0];
    [d, c, b, a] = [c, b, a, (first + second) >>> 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    state[index] = (state[index] ?? 0) + value;
  });
}

/** The working variables of one block. */
type EightWords = [number, number, number, number, number, number, number, number];

/** Turns 32 bits to the right. */
function rotate(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by));
}

/** The first 32 bits of the fractional parts of a root of the first primes. */
function fractionalBits(count: number, root: (prime: number) => number): Uint32Array {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return Uint32Array.from(primes, (prime) => Math.floor((root(prime) % 1) * 2 ** 32));
}
