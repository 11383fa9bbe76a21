import { hostsOwn } from "../definitions/host_own.ts";
import { toHotplugError } from "../model/errors.ts";
import type { ListedItem } from "../model/listing.ts";
import type { HostProfile } from "../model/host_profile.ts";
import type { LoadedConfigs, PlannedServer } from "../model/plan.ts";
import { goesRound } from "../model/session_chain.ts";
import { plannedView, type ServerView } from "../model/server_view.ts";
import { placeOf } from "../plan/contenders.ts";
import { loadAllMCPConfigs } from "../plan/discover.ts";
import { memoryToolCache } from "../cache/memory_tool_cache.ts";
import type { MCPManager } from "../runtime/manager.ts";
import { createSession } from "../session/create_session.ts";
import { chainRule } from "../session/gateway_chain.ts";
import type { MCPSession } from "../session/session.ts";
import type { LeftOut, SessionOptions } from "../session/session_options.ts";
import type {
  GatewayList,
  GatewaySession,
  HostOpening,
  OpenSession,
  SessionPart,
  SessionPreview,
} from "./gateway_session.ts";
import type { SessionBridge } from "./bridge/session_bridge.ts";
import { pausedError } from "./paused_error.ts";
import { serverPurpose } from "./lazy/server_purpose.ts";
import { sessionConfigs } from "../session/session_servers.ts";
import type { LoopGuard } from "./loop_guard.ts";
import { Subscriptions } from "./offer/subscriptions.ts";
import { type OfferPatterns, serverOffered } from "./offer_filter.ts";

/** Longest name of a host, in characters. */
const LONGEST_HOST = 64;

/** What the session behind a gateway is opened with. */
export interface SessionBehind {
  /** The session's options, as the user set them. */
  readonly session: Omit<
    SessionOptions,
    | "kind"
    | "host"
    | "onRefresh"
    | "onServer"
    | "onNotification"
    | "leaveOut"
    | "handlers"
    | "capabilities"
  >;
  /** Which servers and tools are on offer. */
  readonly patterns: OfferPatterns;
  /** What the host does with tools; `null` when its kind is not known. */
  readonly profile: HostProfile | null;
  /** Keeps the gateway from being a server of itself. */
  readonly loops: LoopGuard;
}

/** A way to open such a session for a gateway. Servers that nobody has seen before join late. */
export function openSessionBehind(
  { session, patterns, profile, loops }: SessionBehind,
): OpenSession {
  return async (opening, { bridge, onRefresh, onServer, onLog }, signal) => {
    const subscriptions = new Subscriptions();
    const chain = loops.around(opening.chain ?? []);
    return gatewaySession(
      await createSession({
        onMissingCache: "late",
        ...session,
        // What one host is told by a server that may know it is nothing for the disk.
        ...(opening.part === "own" ? { toolCache: memoryToolCache() } : {}),
        kind: "gateway",
        host: profile?.id ?? hostName(opening),
        chain,
        capabilities: opening.capabilities,
        handlers: bridge.handlers,
        leaveOut: (server) =>
          loops.addressRefusal(server) ?? whyLeftOut(server, patterns, profile) ??
            ofOtherPart(server, opening.part),
        onRefresh,
        onServer,
        // Changed lists are read by the session itself.
        onNotification: (server, { method, params, call }) => {
          if (method === "notifications/resources/updated") subscriptions.updated(server, params);
          else if (method === "notifications/message" && call === undefined) onLog(server, params);
        },
        signal,
      }),
      chain,
      bridge,
      subscriptions,
      opening.part === "shared"
        ? (server) =>
          whyLeftOut(server, patterns, profile) === null && ofOtherPart(server, "shared") !== null
        : () => false,
    );
  };
}

/** Looks what such a session would be made of, and starts nothing. Never rejects. */
export function previewBehind(
  { session, patterns, profile, loops }: SessionBehind,
): () => Promise<SessionPreview> {
  const inChain = chainRule(session.machine?.env);
  return async () => {
    try {
      const { plan } = sessionConfigs(
        await loadAllMCPConfigs(session),
        (server) =>
          inChain(server.launch) ?? loops.addressRefusal(server) ??
            whyLeftOut(server, patterns, profile),
      );
      const servers = plan.servers.map((server): ServerView =>
        server.verdict.state === "run"
          ? { ...plannedView(server), state: "connecting" }
          : plannedView(server)
      );
      return { servers, failure: null };
    } catch (thrown) {
      return { servers: [], failure: toHotplugError(thrown, "discovery-failed").toInfo() };
    }
  };
}

const LISTS: Readonly<
  Record<GatewayList, (manager: MCPManager, server: string) => readonly ListedItem[]>
> = {
  resources: (manager, server) => manager.listResources(server),
  resourceTemplates: (manager, server) => manager.listResourceTemplates(server),
  prompts: (manager, server) => manager.listPrompts(server),
};

/**
 * A session as a gateway sees it.
 * @param chain Ids of the sessions around its servers: what has come through one of them is no part
 * of any list.
 * @param isOwn Tells which servers take no part in it, since each host has its own.
 */
export function gatewaySession(
  session: MCPSession,
  chain: readonly string[],
  bridge: SessionBridge,
  subscriptions: Subscriptions,
  isOwn: (server: PlannedServer) => boolean,
): GatewaySession {
  const { manager } = session;
  const ahead = notGoingRound(chain);
  let configs: LoadedConfigs | null = null;
  let ownServers: readonly string[] = [];
  bridge.onRootsChanged((except) => void manager.rootsChanged({ except }));
  subscriptions.begin(manager);
  return {
    get toolSet() {
      return session.toolSet;
    },
    get failure() {
      return session.failure;
    },
    servers: () => session.status().servers,
    hasFailedBefore: (server) => manager.hasFailedBefore(server),
    instructionsOf: (server) => manager.getConnection(server)?.instructions ?? "",
    purposeOf: (server) =>
      serverPurpose(session.configs?.plan.servers.find(({ name }) => name === server)),
    eraOf: (server) => manager.getConnection(server)?.protocol.era ?? null,
    eraWhenUp: (server, options) =>
      manager.waitForConnection(server, options).then(({ protocol }) => protocol.era, () => null),
    ownServers(): readonly string[] {
      // Asked with each request, and another only when configs were read anew.
      if (configs !== session.configs) {
        configs = session.configs;
        ownServers = configs?.plan.servers.filter(isOwn).map(({ name }) => name) ?? [];
      }
      return ownServers;
    },
    capabilitiesOf: (server) => manager.getConnection(server)?.capabilities ?? {},
    listed: (server, kind) => ahead(LISTS[kind](manager, server)),
    request: (server, method, params, options) =>
      bridge.calls.during(
        server,
        options,
        (call) => manager.forward(server, method, params, { ...options, call }),
      ).catch((thrown) => {
        throw pausedError(session.status().servers, server, thrown) ?? thrown;
      }),
    subscribe: (server, uri, holder, signal) => subscriptions.add({ server, uri }, holder, signal),
    setLogLevel: (server, level) => manager.setLogLevel(server, level),
    learnRoots: (server, roots) => bridge.learnRoots(server, roots),
    rootsChanged: () => bridge.rootsChanged(),
    settled: (options) => session.settled(options),
    close: () => session.close(),
  };
}

/** Lists without what goes round in circles; the same list for the same one. */
function notGoingRound(
  chain: readonly string[],
): (items: readonly ListedItem[]) => readonly ListedItem[] {
  const known = new WeakMap<readonly ListedItem[], readonly ListedItem[]>();
  return (items) => {
    const ahead = known.get(items) ?? items.filter(({ raw }) => !goesRound(raw, chain));
    known.set(items, ahead);
    return ahead;
  };
}

/** Why a server takes no part; `null` when it does. Pure. */
export function whyLeftOut(
  server: PlannedServer,
  patterns: OfferPatterns,
  profile: HostProfile | null,
): LeftOut | null {
  if (!serverOffered(patterns, server.name)) {
    return {
      message: "It is left out by --only or --except",
      hint: 'To have it, change these words of the command line "mcp serve"',
    };
  }
  const own = profile === null ? null : hostsOwn(profile, server);
  if (profile === null || own === null) return null;
  const { label } = profile;
  if (own === server.definition?.source) {
    return {
      message: `${label} starts it by itself`,
      hint:
        `${label} takes changes of its own files when it starts; what "mcp reload" is to reach ` +
        "belongs in Hotplug's store alone",
    };
  }
  // Its model would have both under nearly the same names.
  return {
    message: `${label} starts a server of this name by itself, from ${placeOf(own)}`,
    hint: "To have this one, take that one out of its file",
  };
}

/** Why a server that each host has its own of takes no part in what hosts share. */
const OF_EACH_HOST: LeftOut = {
  message: "Each host has one of its own, by share: false",
  hint: null,
};

/** Why any other takes no part in what one host has of its own. */
const OF_ALL_HOSTS: LeftOut = {
  message: "It runs in the session that all hosts share",
  hint: null,
};

/**
 * Why a server belongs to another part of what is behind a gateway; `null` when it does not. One that
 * may not run is shown with what all hosts have. Pure.
 */
export function ofOtherPart(
  { definition, verdict }: PlannedServer,
  part: SessionPart,
): LeftOut | null {
  if (part === "all") return null;
  const isOwn = definition?.config.share === false && verdict.state === "run";
  if (part === "shared") return isOwn ? OF_EACH_HOST : null;
  return isOwn ? null : OF_ALL_HOSTS;
}

function hostName({ clientInfo }: HostOpening): string | null {
  const name = clientInfo?.["name"];
  return typeof name === "string" && name !== "" ? name.slice(0, LONGEST_HOST) : null;
}
