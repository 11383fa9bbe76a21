import assert from "node:assert/strict";
import { join } from "node:path";
import {
  type Control,
  type ControlOptions,
  startControl,
} from "../../src/control/start_control.ts";
import { type LiveSession, liveSessions } from "../../src/control/live_sessions.ts";
import { newSessionId } from "../../src/control/session_id.ts";
import type { ControlledSession } from "../../src/control/session_methods.ts";
import type { HotplugFolders, Machine } from "../../src/model/machine.ts";
import { silentLogger } from "../../src/model/log.ts";
import type { RefreshReport, ReloadRequest, SessionInfo } from "../../src/model/session_view.ts";
import { hotplugFolders } from "../../src/platform/folders.ts";
import { machineOf, makeTempHome, type TempHome } from "../harness/temp_home.ts";

/** A report in which nothing happened, but for what a test says. */
export function report(part: Partial<RefreshReport> = {}): RefreshReport {
  return {
    added: [],
    removed: [],
    changed: [],
    generation: 1,
    before: 0,
    after: 0,
    host: null,
    servers: [],
    errors: [],
    elapsedMs: 1,
    ...part,
  };
}

/** A session that keeps what it was asked for and answers as a test says. */
export function steered(part: {
  readonly info?: Partial<SessionInfo>;
  readonly reload?: (
    request: ReloadRequest | undefined,
    options: { readonly signal?: AbortSignal } | undefined,
  ) => Promise<RefreshReport>;
  readonly steer?: (verb: string, server: string) => Promise<RefreshReport>;
} = {}): ControlledSession & { readonly asked: readonly string[] } {
  const asked: string[] = [];
  const steer = part.steer ?? ((): Promise<RefreshReport> => Promise.resolve(report()));
  const info: SessionInfo = {
    id: newSessionId(),
    pid: Deno.pid,
    workspacePath: "/w",
    kind: "library",
    host: null,
    startedAt: Date.now(),
    version: "0.0.0",
    ...part.info,
  };
  const one = (verb: string) => (server: string): Promise<RefreshReport> => {
    asked.push(`${verb} ${server}`);
    return steer(verb, server);
  };
  return {
    asked,
    info,
    tools: [],
    status: () => ({ session: info, generation: 3, tools: 0, servers: [] }),
    reload: (request, options) => {
      asked.push(`reload ${JSON.stringify(request)}`);
      return part.reload?.(request, options) ?? Promise.resolve(report());
    },
    pause: one("pause"),
    resume: one("resume"),
    retry: one("retry"),
  };
}

/** What a test of the control socket works with. */
export interface ControlWorld {
  /** The home. */
  readonly home: TempHome;
  /** Its machine. */
  readonly machine: Machine;
  /** Its folders. */
  readonly folders: HotplugFolders;
  /** Opens a control socket that is closed when the test ends. */
  start(session: ControlledSession, options?: Partial<ControlOptions>): Promise<Control>;
  /** The sessions that live. */
  live(workspacePath?: string): Promise<readonly LiveSession[]>;
  /** The one session that lives. */
  only(): Promise<LiveSession>;
  /** Names of the files that sessions left: records and sockets. */
  left(): Promise<readonly string[]>;
}

/** A test in a home of its own; after it no record and no socket may be left. */
export function withControl(name: string, test: (world: ControlWorld) => Promise<void>): void {
  Deno.test(name, async () => {
    const home = await makeTempHome();
    const machine = machineOf(home);
    const folders = hotplugFolders(machine);
    const open: Control[] = [];
    const live = (workspacePath?: string): Promise<readonly LiveSession[]> =>
      liveSessions({ folders, machine, workspacePath });
    const left = async (): Promise<readonly string[]> =>
      (await Promise.all([join(folders.state, "sessions"), folders.runtime].map(namesIn))).flat();
    try {
      await test({
        home,
        machine,
        folders,
        live,
        left,
        async start(session, options = {}): Promise<Control> {
          const control = await startControl({
            session,
            machine,
            folders,
            log: silentLogger,
            ...options,
          });
          open.push(control);
          return control;
        },
        async only(): Promise<LiveSession> {
          const [session, ...more] = await live();
          assert.ok(session !== undefined && more.length === 0);
          return session;
        },
      });
      await Promise.all(open.map((control) => control.close()));
      assert.deepEqual(await left(), [], "records or sockets are left");
    } finally {
      await Promise.all(open.map((control) => control.close()));
      await home.remove();
    }
  });
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(folder)) names.push(name);
  } catch {
    // Never made.
  }
  return names;
}
