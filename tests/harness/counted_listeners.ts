/** A signal that never fires, and how many listeners stand at it now. */
export function countedListeners(): {
  readonly signal: AbortSignal;
  readonly listeners: () => number;
} {
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>): void => {
    listeners++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>): void => {
    listeners--;
    remove(...args);
  };
  return { signal, listeners: () => listeners };
}
