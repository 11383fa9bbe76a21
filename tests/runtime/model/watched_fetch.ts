/** Counts the requests of this process that are under way, so that a test can wait for their end. */
export interface WatchedFetch {
  /** Requests that have no whole answer yet; a stream counts until its head is there. */
  inFlight(): number;
  /** Requests made so far. */
  total(): number;
  /** Puts the real `fetch` back. */
  restore(): void;
}

/** Puts a counter around the global `fetch`. */
export function watchFetch(): WatchedFetch {
  const real = globalThis.fetch;
  let inFlight = 0;
  let total = 0;
  globalThis.fetch = async (input, init): Promise<Response> => {
    inFlight++;
    total++;
    try {
      const response = await real(input, init);
      if (response.headers.get("content-type") === "text/event-stream") return response;
      const body = await response.arrayBuffer();
      const { status, statusText, headers } = response;
      return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers });
    } finally {
      inFlight--;
    }
  };
  return {
    inFlight: () => inFlight,
    total: () => total,
    restore: () => {
      globalThis.fetch = real;
    },
  };
}
