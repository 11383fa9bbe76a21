import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { announce, portArgument } from "../../servers/sdk_tools.ts";

/**
 * Serves an endpoint on the loopback, on the port of the second argument, and says where it is.
 * Requests that name another host or come from a page of another one are refused, as a name that
 * was rebound to this machine would let any page in.
 */
export function serveOnLoopback(answer: (request: Request) => Promise<Response>): void {
  Deno.serve({
    hostname: "127.0.0.1",
    port: portArgument(),
    onListen: ({ port }) => announce(port),
  }, async (request) => {
    const refused = hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    return refused ?? await answer(request);
  });
}
