import type { Host } from "./host.ts";
import {
  announced,
  confirmed,
  ended,
  forgotten,
  rechecked,
  redeclared,
  restarted,
  started,
} from "./life_rules.ts";
import { distinct, type Effect, type World } from "./model.ts";
import type { Mode } from "./scripted_servers.ts";

/** Something that is done to the manager or to a server: for real, and in the model. */
export interface Act {
  readonly text: string;
  /** Whether it gives up an attempt, whose last requests may still be on their way. */
  readonly givesUp: boolean;
  /** Whether what it starts is shown for a while. */
  readonly isShown: boolean;
  /** Whether it ends all servers. */
  readonly endsAll: boolean;
  /** Does it; what goes on afterwards is waited for elsewhere. */
  begin(host: Host): void;
  /** What it does to a server, in the model; `isCrowded` when other things happen at once. */
  effect(name: string, autoReconnect: boolean, isCrowded: boolean): Effect;
}

const nothing: Effect = (world) => [world];

function act(
  text: string,
  begin: (host: Host) => void,
  effect: Act["effect"],
  marks: Partial<Pick<Act, "givesUp" | "isShown" | "endsAll">> = {},
): Act {
  return { text, begin, effect, givesUp: false, isShown: false, endsAll: false, ...marks };
}

/** What an effect leads to, and what is there without it. */
export function either(effect: Effect): Effect {
  return (world) => [world, ...effect(world)];
}

/** One effect after the other. */
export function inOrder(...effects: readonly Effect[]): Effect {
  return (world) =>
    effects.reduce<readonly World[]>((worlds, effect) => distinct(worlds.flatMap(effect)), [world]);
}

/** `connectServers` of some servers, as they are declared now. */
export function connect(names: readonly string[]): Act {
  let isAtGate = (): boolean => false;
  return act(
    `connect ${names.join(" and ")}`,
    (host) => {
      isAtGate = (): boolean => host.isOperating();
      host.operate(host.connect(names));
    },
    (name, auto) => {
      // Behind the gate, which a restart that is shown holds closed, it looks after all servers.
      const behind = isAtGate() ? either(rechecked) : rechecked;
      return names.includes(name) ? inOrder(started(auto), behind) : behind;
    },
  );
}

/** `disconnectServer`. */
export function end(of: string): Act {
  return act(
    `end ${of}`,
    (host) => host.operate(host.manager.disconnectServer(of)),
    (name) => name === of ? ended : nothing,
    { givesUp: true },
  );
}

/** `disconnectServer` with patience: calls that are held go on. */
export function pause(of: string): Act {
  return act(
    `pause ${of}`,
    (host) => host.pause(of),
    (name) => name === of ? ended : nothing,
    { givesUp: true },
  );
}

/** `restartServer`. */
export function restart(of: string): Act {
  return act(
    `restart ${of}`,
    (host) => host.operate(host.manager.restartServer(of, { signal: host.life.signal })),
    (name, auto) => name === of ? restarted(auto) : nothing,
    { givesUp: true, isShown: true },
  );
}

/** `disconnectAll`. */
export function endAll(): Act {
  return act(
    "end all",
    (host) => host.operate(host.manager.disconnectAll()),
    () => forgotten,
    { givesUp: true, endsAll: true },
  );
}

/** `disconnectAll` and `connectServers` of all. */
export function reload(names: readonly string[]): Act {
  return act(
    "reload",
    (host) =>
      host.operate(
        host.manager.disconnectAll().then(() => host.connect(host.names())),
      ),
    (name, auto) => inOrder(forgotten, connect(names).effect(name, auto, false)),
    { givesUp: true, endsAll: true },
  );
}

/** A server changes how it answers; `isNoticed` asks it for a sign of life thereafter. */
export function become(of: string, mode: Mode, isNoticed: boolean): Act {
  return act(
    `${of} is ${mode}${isNoticed ? ", noticed" : ""}`,
    (host) => {
      host.servers.of(of).become(mode);
      if (isNoticed) void host.manager.getConnection(of)?.confirm();
    },
    (name, auto, isCrowded) => {
      if (name !== of) return nothing;
      const changed: Effect = (world) => [{
        ...world,
        mode,
        isLinked: world.isLinked && mode !== "down",
      }];
      // While a restart is only shown nobody can ask for a sign of life.
      const noticed: Effect = (world) =>
        world.standing === "connected" ? confirmed(auto)(world) : [world];
      // The answer may be that of another moment.
      if (isNoticed) return inOrder(changed, isCrowded ? either(noticed) : noticed);
      return changed;
    },
  );
}

/** A server changes its list and says so. */
export function changeList(of: string): Act {
  return act(
    `${of} changes its list`,
    (host) => host.servers.of(of).changeList(),
    (name) => name === of ? announced : nothing,
  );
}

/** The config declares a server otherwise. */
export function redeclare(of: string, declared: "whole" | "narrow"): Act {
  return act(
    `declare ${of} ${declared}`,
    (host) => void host.declared.set(of, declared),
    (name) => name === of ? redeclared(declared) : nothing,
  );
}

/** The policy forbids a server or allows it again. */
export function setPolicy(of: string, isForbidden: boolean): Act {
  return act(
    `${isForbidden ? "forbid" : "allow"} ${of}`,
    (host) => {
      if (isForbidden) host.forbidden.add(of);
      else host.forbidden.delete(of);
    },
    (name) => name === of ? (world) => [{ ...world, isForbidden }] : nothing,
  );
}

/** `recheckServers`. */
export function recheck(): Act {
  return act(
    "recheck",
    (host) => host.operate(host.manager.recheckServers()),
    () => rechecked,
  );
}

/** A host that looks around. */
export function lookAround(): Act {
  return act("look around", (host) => {
    host.manager.getTools();
    host.manager.getServers();
  }, () => nothing);
}
