import assert from "node:assert/strict";
import { callTool } from "../../src/connection/calls.ts";
import type { HostHandlers } from "../../src/model/host_handlers.ts";
import { rejection, withBench } from "./harness.ts";
import { toolNamed } from "./tool_named.ts";

const URL_OF_PAGE = "https://example.com/visit";

Deno.test("a call that needs a visit to a page is made again when the server says that it is done", async () => {
  await withBench(async (bench) => {
    const shown: string[] = [];
    const done: string[] = [];
    const handlers: HostHandlers = {
      elicitUrl: ({ url, elicitationId, message }) => {
        shown.push(`${elicitationId} ${url} ${message}`);
        return { action: "accept" };
      },
      urlElicitationComplete: (id, server) => done.push(`${server} ${id}`),
    };
    const connection = await bench.connect(bench.program("asking_legacy.ts"), { handlers });
    const result = await callTool(connection, toolNamed("visit"), { complete: true });
    assert.deepEqual(result.content, [{ type: "text", text: '"been there"' }]);
    assert.deepEqual(shown, [`visit-1 ${URL_OF_PAGE} Sign in`]);
    assert.deepEqual(done, ["s visit-1"]);
  });
});

Deno.test("without somebody to show the page, or with a no, the error says where to go", async () => {
  await withBench(async (bench) => {
    const refuses: HostHandlers = { elicitUrl: () => ({ action: "decline" }) };
    for (const handlers of [{}, refuses]) {
      const connection = await bench.connect(bench.program("asking_legacy.ts"), { handlers });
      const error = await rejection(callTool(connection, toolNamed("visit"), {}));
      assert.equal(error.code, "protocol-error");
      assert.equal(error.details["code"], -32042);
      assert.match(error.hint ?? "", /Open https:\/\/example\.com\/visit and try again/);
    }
  });
});

Deno.test("a page is shown with its whole address, also where that holds what is a secret elsewhere", async () => {
  await withBench(async (bench) => {
    const shown: string[] = [];
    const handlers: HostHandlers = {
      elicitUrl: ({ url }) => {
        shown.push(url);
        return { action: "decline" };
      },
    };
    const secrets = ["example.com/visit"];
    const connection = await bench.connect(bench.program("asking_legacy.ts"), {
      handlers,
      secrets,
    });
    const error = await rejection(callTool(connection, toolNamed("visit"), {}));
    assert.equal(error.hint, "Open https://*** and try again");
    assert.deepEqual(shown, [URL_OF_PAGE]);
  });
});

Deno.test("an abort ends the wait for a page", async () => {
  await withBench(async (bench) => {
    const caller = new AbortController();
    const handlers: HostHandlers = {
      elicitUrl: () => {
        setTimeout(() => caller.abort(), 20);
        return { action: "accept" };
      },
    };
    const connection = await bench.connect(bench.program("asking_legacy.ts"), { handlers });
    const options = { signal: caller.signal };
    const error = await rejection(callTool(connection, toolNamed("visit"), {}, options));
    assert.equal(error.code, "aborted");
  });
});
