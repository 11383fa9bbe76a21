import assert from "node:assert/strict";
import { join } from "node:path";
import { npmServer, trap } from "../harness/servers.ts";
import { inEveryRuntime } from "./run_scenario.ts";

/** A result's text. */
interface Texts {
  readonly text: string;
  readonly isError: boolean;
}

/** What was said of states: the server (or `null`) and its state. */
type States = readonly (readonly [string | null, string])[];

Deno.test("the same script gets the same tools and answers in Node, Deno and Bun", async () => {
  interface Answer {
    readonly [key: string]: unknown;
    readonly echo: { readonly description: string; readonly parameters: { readonly type: string } };
    readonly wrong: Texts;
    readonly unknown: Texts;
    readonly long: Texts;
  }
  await inEveryRuntime<Answer>("tools", { server: npmServer("everything") }, (answer, runtime) => {
    const { echo, structured, wrong, unknown, long, closed, ...rest } = answer;
    assert.deepEqual(rest, {
      generation: 1,
      count: 13,
      echoed: {
        content: [{ type: "text", text: "Echo: naïve 漢字" }],
        isError: false,
        details: {},
      },
      sum: { text: "The sum of 2 and 3 is 5.", isError: false },
      image: ["text", "image", "text"],
      state: "running",
      hasPid: true,
      steps: ["1/4", "2/4", "3/4", "4/4"],
      afterwards: { text: "MCP error: the tool set is closed", isError: true },
    }, runtime);
    assert.equal(echo.parameters.type, "object");
    assert.ok(Object.hasOwn((structured as { details: object }).details, "structuredContent"));
    assert.match(unknown.text, /^MCP error/);
    assert.ok(unknown.isError && wrong.isError);
    assert.match(long.text, /completed/);
    assert.deepEqual(closed, {
      state: "closed",
      error: null,
      pid: null,
      generation: 1,
      servers: [],
    });
  });
});

Deno.test("a process killed in a call: the call is answered, the tools stay, the next call works [B07]", async () => {
  interface Answer {
    readonly lost: Texts;
    readonly states: States;
  }
  await inEveryRuntime<Answer>("killed", {
    server: ({ root }) => trap("crash-once", join(root, "crashed")),
  }, ({ lost, states, ...rest }) => {
    assert.deepEqual(lost, {
      text:
        'MCP error: the mcp process was ended by SIGKILL during the call; whether "act" took effect is not known',
      isError: true,
    });
    assert.deepEqual(rest, {
      answeredSoon: true,
      kept: ["echo", "add", "look", "act"],
      isPid: true,
      generation: 1,
    });
    const expected = ["running", "restarting", "running", "closed"].map((state) => [null, state]);
    assert.deepEqual(states, expected);
  });
});

Deno.test("a process that is killed while nobody calls comes back by itself", async () => {
  await inEveryRuntime("killed idle", { server: trap("good") }, (answer) => {
    const message = "the mcp process was ended by SIGKILL";
    assert.deepEqual(answer, {
      kept: ["echo", "add"],
      isOther: true,
      states: [["running", null], ["restarting", { message }], ["running", null], ["closed", null]],
    });
  });
});

Deno.test("a process that hangs at its start is given up and ended", async () => {
  await inEveryRuntime<{ message: string; soon: boolean }>("does not start", {
    server: trap("hang"),
  }, ({ message, soon }) => {
    assert.match(
      message,
      /^Cannot start ".*\/bin\/hotplug": no answer to "initialize" within 700 ms$/,
    );
    assert.ok(soon);
  });
});

Deno.test("a process that ends at its start is told with its last words", async () => {
  await inEveryRuntime<{ message: string }>("does not start", {
    server: trap("dead"),
  }, ({ message }) => {
    assert.match(message, /^Cannot start ".*\/bin\/hotplug": it ended with status \d+: .*\w/);
  });
});

Deno.test("thousands of announced changes cost a handful of reads, and the last one is seen", async () => {
  await inEveryRuntime<{ reads: number }>("storm", {
    server: trap("changing", "5000", "600"),
  }, ({ reads, ...rest }) => {
    assert.deepEqual(rest, { isSame: true, grown: true, isCurrent: true, versions: 1 });
    assert.ok(reads < 20, `${reads} reads`);
  });
});

Deno.test("an aborted call rejects with the reason and is cancelled", async () => {
  await inEveryRuntime("abort", { server: trap("hang-call") }, (answer) => {
    assert.deepEqual(answer, { message: "enough", before: "enough", reasons: ["Aborted"] });
  });
});

Deno.test("callbacks that throw harm nothing", async () => {
  await inEveryRuntime("callbacks that throw", { server: trap("grows", "100") }, (answer) => {
    assert.deepEqual(answer, { text: "here now", isError: false });
  });
});

Deno.test("a start that is aborted rejects with the reason and leaves nothing", async () => {
  for (const ms of [0, 300]) {
    await inEveryRuntime("aborted start", { server: trap("hang"), input: { ms } }, (answer) => {
      assert.deepEqual(answer, { message: "enough", at: "enough" });
    });
  }
});

Deno.test("a call that runs when the tool set is closed is answered", async () => {
  for (const by of ["close", "signal"]) {
    await inEveryRuntime<Texts>("close in a call", {
      server: trap("hang-call"),
      input: { by },
    }, ({ text, isError }) => {
      assert.match(text, /^MCP error: the mcp process was closed during the call/);
      assert.ok(isError);
    });
  }
});

Deno.test("a process that no longer answers is ended, and the call is answered", async () => {
  await inEveryRuntime<{ result: Texts; again: Texts }>("silent", {
    server: trap("good"),
  }, ({ result, again }) => {
    assert.match(result.text, /^MCP error: the mcp process no longer answered during the call/);
    assert.deepEqual(again, { text: "back", isError: false });
  });
});

Deno.test("a slow call of a process that lives is waited for", async () => {
  await inEveryRuntime("slow but alive", { server: trap("late") }, (answer) => {
    assert.deepEqual(answer, { text: "late but here", isError: false });
  });
});

Deno.test("a process that writes a line without an end is ended [C03]", async () => {
  await inEveryRuntime<Texts>("call", { server: trap("unbounded-line") }, ({ text }) => {
    assert.match(text, /^MCP error: the mcp process sent a line without an end during the call/);
  });
});

Deno.test("a process that fills its stderr is read on [B08]", async () => {
  await inEveryRuntime("call", { server: trap("stderr-in-call") }, (answer) => {
    assert.deepEqual(answer, { text: "answered after the flood", isError: false });
  });
});

Deno.test("a process that ignores the end of its input and SIGTERM does not live on [B01]", async () => {
  await inEveryRuntime<Texts>("call", { server: trap("stubborn") }, ({ text }) => {
    assert.match(text, /^MCP error/);
  });
});

Deno.test("when the host dies its process ends [B03]", async () => {
  await inEveryRuntime("dies itself", { server: trap("good"), code: null }, () => {});
});
