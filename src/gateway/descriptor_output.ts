import { write } from "node:fs";
import type { HostOutput } from "./host_channel.ts";

/** Milliseconds after which a descriptor that took nothing is tried again. */
const AGAIN_MS = 5;

/**
 * Writes into an open descriptor outside of the event loop. `process.stdout` would hold the whole
 * program up while a host does not read, so that it could neither read, nor be ended.
 */
export function descriptorOutput(descriptor: number): HostOutput {
  return {
    async write(bytes): Promise<void> {
      for (let offset = 0; offset < bytes.length;) {
        offset += await writeSome(descriptor, bytes, offset);
      }
    },
  };
}

function writeSome(descriptor: number, bytes: Uint8Array, offset: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(descriptor, bytes, offset, bytes.length - offset, null, (error, written) => {
      if (error === null) return resolve(written);
      // A descriptor that somebody else made non-blocking.
      if (error.code !== "EAGAIN") return reject(error);
      setTimeout(() => resolve(0), AGAIN_MS);
    });
  });
}
