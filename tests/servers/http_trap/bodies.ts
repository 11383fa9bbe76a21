import { Buffer } from "node:buffer";
import type { ServerResponse } from "node:http";
import { createGzip } from "node:zlib";
import { type Exchange, type HttpBehaviour, reply, replyWell } from "./exchange.ts";

/** Answers `tools/list` in a way of its own, and all else well. */
function list(answer: (exchange: Exchange) => void | Promise<void>): HttpBehaviour {
  return (exchange) =>
    exchange.message?.["method"] === "tools/list" ? answer(exchange) : replyWell(exchange);
}

const MEBIBYTE = 1024 * 1024;
const SPACES = Buffer.alloc(MEBIBYTE, " ");

/** Writes so many MiB of spaces at the pace of the reader; stops when it goes away. */
async function writeSpaces(
  target: NodeJS.WritableStream,
  response: ServerResponse,
  mebibytes: number,
): Promise<void> {
  for (let written = 0; written < mebibytes && !response.destroyed; written++) {
    if (target.write(SPACES)) continue;
    await new Promise<void>((go) => {
      target.once("drain", go);
      response.once("close", go);
    });
  }
}

/** Behaviours of bodies, by name. */
export const bodies: Readonly<Record<string, HttpBehaviour>> = {
  /** A list of 256 MiB: white space before a document that never comes. */
  "huge-body": list(async ({ response }) => {
    response.writeHead(200, { "content-type": "application/json" });
    await writeSpaces(response, response, 256);
    response.end();
  }),

  /** The same in a few hundred KiB, compressed. */
  "gzip-bomb": list(async ({ response }) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    const gzip = createGzip();
    gzip.on("error", () => {});
    gzip.pipe(response);
    await writeSpaces(gzip, response, 256);
    gzip.end();
  }),

  /** One event that never ends. */
  "endless-event": list(async ({ response }) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: ");
    await writeSpaces(response, response, 256);
    response.end();
  }),

  /** Headers, then nothing. */
  "hanging-body": list(({ response }) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
  }),

  /** A web page where a list should be: some portal stands in between. */
  html: (exchange) =>
    reply(exchange, 200, "<!doctype html><title>Sign in</title>", { "content-type": "text/html" }),

  /** Half a document. */
  "broken-json": list((exchange) =>
    reply(exchange, 200, `{"jsonrpc":"2.0","id":`, { "content-type": "application/json" })
  ),
};
