import { Buffer } from "node:buffer";
import { write } from "node:fs";
import { Socket } from "node:net";
import type { HostOutput } from "./host_channel.ts";

/**
 * Writes into an open descriptor without holding the program up: `process.stdout` does while a host
 * does not read, so that the program could neither read, nor be ended. What is neither pipe nor
 * socket, such as a file or a terminal, is written directly.
 */
export function descriptorOutput(descriptor: number): HostOutput {
  const socket = socketOn(descriptor);
  return {
    write: socket === null
      ? (text): Promise<void> => writeAll(descriptor, Buffer.from(text))
      : (text): Promise<void> => writeTo(socket, text),
  };
}

/** The descriptor as a socket; `null` when it is of another kind. */
function socketOn(descriptor: number): Socket | null {
  try {
    const socket = new Socket({ fd: descriptor, readable: false, writable: true });
    // Each write is told of its failure; without this the process would end of it.
    socket.on("error", () => {});
    return socket;
  } catch {
    return null;
  }
}

function writeTo(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(text, (error) => {
      if (error === null || error === undefined) resolve();
      else reject(error);
    });
  });
}

async function writeAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length;) {
    offset += await new Promise<number>((resolve, reject) => {
      write(descriptor, bytes, offset, bytes.length - offset, null, (error, written) => {
        if (error === null) resolve(written);
        else reject(error);
      });
    });
  }
}
