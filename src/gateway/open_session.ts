import { hostsOwn } from "../definitions/host_own.ts";
import { toHotplugError } from "../model/errors.ts";
import type { ListedItem } from "../model/listing.ts";
import type { HostProfile } from "../model/host_profile.ts";
import type { PlannedServer } from "../model/plan.ts";
import { goesRound } from "../model/session_chain.ts";
import { plannedView, type ServerView } from "../model/server_view.ts";
import { placeOf } from "../plan/contenders.ts";
import { loadAllMCPConfigs } from "../plan/discover.ts";
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
  SessionPreview,
} from "./gateway_session.ts";
import { serverPurpose } from "./lazy/server_purpose.ts";
import { sessionConfigs } from "../session/session_servers.ts";
import type { LoopGuard } from "./loop_guard.ts";
import { type OfferPatterns, serverOffered } from "./offer_filter.ts";

/** Longest name of a host, in characters. */
const LONGEST_HOST = 64;

/** What the session behind a gateway is opened with. */
export interface SessionBehind {
  /** The session's options, as the user set them. */
  readonly session: Omit<SessionOptions, "kind" | "host" | "onRefresh" | "onServer" | "leaveOut">;
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
  return async (opening, { onRefresh, onServer }, signal) => {
    const chain = loops.around(opening.chain ?? []);
    return gatewaySession(
      await createSession({
        onMissingCache: "late",
        furtherLists: [],
        ...session,
        kind: "gateway",
        host: profile?.id ?? hostName(opening),
        chain,
        leaveOut: (server) => loops.addressRefusal(server) ?? whyLeftOut(server, patterns, profile),
        onRefresh,
        onServer,
        signal,
      }),
      chain,
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
 */
export function gatewaySession(
  session: MCPSession,
  chain: readonly string[] = [],
): GatewaySession {
  const ahead = notGoingRound(chain);
  return {
    get toolSet() {
      return session.toolSet;
    },
    get failure() {
      return session.failure;
    },
    servers: () => session.status().servers,
    instructionsOf: (server) => session.manager.getConnection(server)?.instructions ?? "",
    purposeOf: (server) =>
      serverPurpose(session.configs?.plan.servers.find(({ name }) => name === server)),
    eraOf: (server) => session.manager.getConnection(server)?.protocol.era ?? null,
    capabilitiesOf: (server) => session.manager.getConnection(server)?.capabilities ?? {},
    listed: (server, kind) => ahead(LISTS[kind](session.manager, server)),
    request: (server, method, params, options) =>
      session.manager.forward(server, method, params, options),
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

function hostName({ clientInfo }: HostOpening): string | null {
  const name = clientInfo?.["name"];
  return typeof name === "string" && name !== "" ? name.slice(0, LONGEST_HOST) : null;
}
