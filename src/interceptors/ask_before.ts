import { abortedError, unlessAborted } from "../model/abort.ts";
import { HotplugError, toHotplugError } from "../model/errors.ts";
import type {
  BeforeCallEvent,
  BeforeConnectEvent,
  EventHooks,
  HookContext,
} from "../model/event_hooks.ts";
import type { VetoEvent } from "../model/hook_program.ts";
import type { JsonObject } from "../model/json.ts";
import { type HookAnswer, readAnswer } from "./hook_answer.ts";

/** What messages call a hook without a name. */
const NAMELESS = "a hook of the host";

/**
 * Asks hooks, one after the other, whether a server may be started or reached.
 * @throws {HotplugError} `blocked-by-hook` for a veto; `hook-failed` when one cannot be asked;
 * `aborted`.
 */
export async function askBeforeConnect(
  hooks: readonly EventHooks[],
  event: BeforeConnectEvent,
  context: HookContext,
): Promise<void> {
  for (const hook of hooks) {
    if (hook.beforeConnect === undefined) continue;
    const answer = await answerOf(
      "before-connect",
      hook,
      () => hook.beforeConnect?.(event, context),
      context,
    );
    if (answer.said === "no") throw vetoed(`Cannot start "${event.server}"`, answer.veto, hook);
  }
}

/**
 * Asks hooks, one after the other, whether a tool may be called, and gives the arguments that they
 * leave.
 * @throws {HotplugError} As {@linkcode askBeforeConnect}.
 */
export async function askBeforeCall(
  hooks: readonly EventHooks[],
  event: BeforeCallEvent,
  context: HookContext,
): Promise<JsonObject> {
  let args = event.arguments;
  for (const hook of hooks) {
    if (hook.beforeCall === undefined) continue;
    const asked: BeforeCallEvent = { ...event, arguments: args };
    const answer = await answerOf(
      "before-call",
      hook,
      () => hook.beforeCall?.(asked, context),
      context,
    );
    if (answer.said === "otherwise") args = answer.arguments;
    if (answer.said === "no") {
      throw vetoed(`Cannot call "${event.tool}" of "${event.server}"`, answer.veto, hook);
    }
  }
  return args;
}

/** What one hook answers; anything but an answer is an error. */
async function answerOf(
  event: VetoEvent,
  hook: EventHooks,
  ask: () => unknown,
  { signal }: HookContext,
): Promise<Exclude<HookAnswer, { readonly said: "nonsense" }>> {
  let given: unknown;
  try {
    given = await unlessAborted((async () => await ask())(), signal);
  } catch (thrown) {
    if (signal.aborted) throw abortedError(signal);
    throw failedHook(hook, thrown);
  }
  const answer = readAnswer(event, given);
  if (answer.said === "nonsense") throw failedHook(hook, new Error(answer.problem));
  return answer;
}

function vetoed(action: string, reason: string, { name = NAMELESS }: EventHooks): HotplugError {
  return new HotplugError("blocked-by-hook", `${action}: ${reason}`, {
    hint: `Stopped by ${name}`,
  });
}

/** An error of ours says all already; any other gets the hook's name. */
function failedHook({ name = NAMELESS }: EventHooks, thrown: unknown): HotplugError {
  if (thrown instanceof HotplugError && thrown.code === "hook-failed") return thrown;
  const { message } = toHotplugError(thrown);
  return new HotplugError("hook-failed", `Cannot ask ${name}: ${message}`, {
    hint: "What a hook is asked about is stopped when it cannot be asked",
    cause: thrown,
  });
}
