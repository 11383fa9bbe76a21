import { globMatches } from "../definitions/tool_filter.ts";
import { errorFromInfo, isAbortError, toHotplugError } from "../model/errors.ts";
import type { EventHooks, HookContext } from "../model/event_hooks.ts";
import type { BrokenHook, HookProgram, HookScope } from "../model/hook_program.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Logger } from "../model/log.ts";
import { printedAnswer, readAnswer } from "./hook_answer.ts";
import { failed, type HookMachine, runHook, shownHook } from "./run_hook.ts";

/** What programs of hooks are run with. */
export interface ProgramHookOptions extends HookMachine {
  /** Where failures are written that stop nothing. */
  readonly log: Logger;
}

/**
 * A program as a hook. It has the one function that its event calls for; of `discover` it has none,
 * since that is asked when definitions are read.
 */
export function programHook(program: HookProgram, options: ProgramHookOptions): EventHooks {
  const name = `the hook ${shownHook(program)}`;
  const ask = async (event: object, { signal }: HookContext): Promise<JsonObject | undefined> => {
    try {
      return await answerOf(program, event, options, signal);
    } catch (thrown) {
      if (isAbortError(thrown) || program.onError !== "allow") throw thrown;
      options.log.log("warn", "A hook failed; what it was asked about goes on", {
        hook: program.command,
        cause: toHotplugError(thrown).message,
      });
      return undefined;
    }
  };
  const tell = async (event: object, { signal }: HookContext): Promise<void> => {
    await runHook(program, asJson(event), options, signal);
  };
  switch (program.event) {
    case "discover":
      return { name };
    case "before-connect":
      return {
        name,
        beforeConnect: async (event, context) =>
          concerns(program, event.server) ? await asAnswer(ask(event, context)) : undefined,
      };
    case "before-call":
      return {
        name,
        beforeCall: async (event, context) =>
          concerns(program, event.server, event.tool)
            ? await asAnswer(ask(event, context))
            : undefined,
      };
    case "after-call":
      return {
        name,
        afterCall: async (event, context) => {
          if (concerns(program, event.server, event.tool)) await tell(event, context);
        },
      };
    case "server-state":
      return {
        name,
        serverState: async (event, context) => {
          if (concerns(program, event.server)) await tell(event, context);
        },
      };
    case "tools-changed":
      return {
        name,
        toolsChanged: async (event, context) => {
          const isOurs = ({ server, tool }: { server: string; tool: string }): boolean =>
            concerns(program, server, tool);
          // Without a filter the end of the last tool is told, too.
          if (isForAll(program) || event.tools.some(isOurs)) await tell(event, context);
        },
      };
  }
}

/** A hook that cannot be asked: it stops what it would be asked about. */
export function brokenHook(broken: BrokenHook): EventHooks {
  const { events, reason } = broken;
  return {
    ...(events.includes("before-connect")
      ? {
        beforeConnect: ({ server }): void => {
          if (concerns(broken, server)) throw errorFromInfo(reason);
        },
      }
      : {}),
    ...(events.includes("before-call")
      ? {
        beforeCall: ({ server, tool }): void => {
          if (concerns(broken, server, tool)) throw errorFromInfo(reason);
        },
      }
      : {}),
  };
}

/** Whether a hook is about a server, or about one of its tools. */
export function concerns(scope: HookScope, server: string, tool?: string): boolean {
  const { servers, tools } = scope;
  if (servers !== null && !servers.some((glob) => globMatches(glob, server))) return false;
  return tool === undefined || tools === null || tools.some((glob) => globMatches(glob, tool));
}

function isForAll({ servers, tools }: HookScope): boolean {
  return servers === null && tools === null;
}

/** What a program answers; what cannot be understood is a failure of the program. */
async function answerOf(
  program: HookProgram,
  event: object,
  options: ProgramHookOptions,
  signal: AbortSignal,
): Promise<JsonObject> {
  const printed = printedAnswer(await runHook(program, asJson(event), options, signal));
  if (typeof printed === "string") throw failed(program, printed);
  const { event: kind } = program;
  if (kind !== "before-call" && kind !== "before-connect") return {};
  const answer = readAnswer(kind, printed);
  if (answer.said === "nonsense") throw failed(program, answer.problem);
  return printed;
}

/** It was read once already; its type is not known to the compiler. */
async function asAnswer<Answer>(printed: Promise<JsonObject | undefined>): Promise<Answer> {
  return await printed as Answer;
}

/** An event as it goes to a program: plain data, which JSON can carry. */
function asJson(event: object): JsonObject {
  const value: unknown = event;
  return isJsonObject(value) ? value : {};
}
