// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- JSDoc has them

/**
 * What a promise gives, or `null` when that takes longer than `ms`. Leaves no timer behind.
 *
 * @template Value
 * @param {Promise<Value>} promise
 * @param {number} ms
 * @returns {Promise<Value | null>}
 */
export async function within(promise, ms) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {Promise<null>} */
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What a promise gives, unless the signal aborts first: then it rejects with the signal's reason.
 *
 * @template Value
 * @param {Promise<Value>} promise
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Value>}
 */
export async function unlessAborted(promise, signal) {
  if (signal === undefined) return await promise;
  signal.throwIfAborted();
  /** @type {() => void} */
  let abort = () => {};
  /** @type {Promise<never>} */
  const aborted = new Promise((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/**
 * Calls what a user gave. Whatever it throws or rejects with harms nobody.
 *
 * @template {readonly unknown[]} Args
 * @param {((...args: Args) => unknown) | undefined} callback
 * @param {Args} args
 */
export async function tell(callback, ...args) {
  try {
    await callback?.(...args);
  } catch {
    // Its own affair.
  }
}

/**
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
