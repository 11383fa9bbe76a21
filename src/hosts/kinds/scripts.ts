import { join } from "node:path";
import { hookFileText } from "../hook/hook_text.ts";
import { inHome, movedTo } from "../../sources/host_paths.ts";
import type { SourceContext } from "../../sources/source.ts";
import type { HookRequest, HostKind, OwnFile, OwnFinding } from "../host_kind.ts";
import { hostSettings, objectAt, textsAt } from "../host_settings.ts";

/** The module that any agent may import. It lies in the project, where its importer looks. */
export const moduleKind: HostKind = {
  id: "module",
  scopes: ["project"],
  programs: [],
  traces: ({ workspacePath }) => [join(workspacePath, ".hotplug", "hooks")],
  parts: (request) => [
    script(
      "module",
      join(request.context.workspacePath, ".hotplug", "hooks", "mcp_tools.mjs"),
      request,
    ),
  ],
  next: 'Import { openToolset } from "./.hotplug/hooks/mcp_tools.mjs"',
};

/** pi, by an extension of its own. */
export const piKind: HostKind = {
  id: "pi",
  scopes: ["user", "project"],
  programs: ["pi"],
  traces: (context) => [piFolder(context)],
  parts: (
    request,
  ) => [script("pi", inExtensions(request, piFolder(request.context), ".pi"), request)],
  next: 'Start a new session of pi, or run "/reload" in one',
  check: async (context, scope) => {
    const found: OwnFinding[] = [];
    const path = join(piFolder(context), "settings.json");
    const settings = await hostSettings(context, path);
    const off = textsAt(settings, "extensions").find((entry) => /^[-!].*hotplug/.test(entry));
    if (off !== undefined) {
      found.push({
        check: "host-switch",
        severity: "error",
        path,
        message: `"extensions" of pi's settings leaves the extension out: "${off}"`,
        remedy: "Take that entry out of the list, or run: pi config",
      });
    }
    if (scope === "user") return found;
    const trusted = await hostSettings(context, join(piFolder(context), "trust.json"));
    const isTrusted = settings["defaultProjectTrust"] === "always" ||
      nearest(trusted, context.workspacePath) === true;
    if (!isTrusted) {
      found.push({
        check: "host-trust",
        severity: "warning",
        path: join(piFolder(context), "trust.json"),
        message: "pi loads extensions of a project only once it trusts the project",
        remedy: 'Start pi here and say that you trust the project, or run "pi --approve"',
      });
    }
    return found;
  },
};

/** oh-my-pi, by an extension of its own. */
export const ompKind: HostKind = {
  id: "omp",
  scopes: ["user", "project"],
  programs: ["omp"],
  traces: (context) => [ompFolder(context)],
  parts: (
    request,
  ) => [script("omp", inExtensions(request, ompFolder(request.context), ".omp"), request)],
  next: "Start a new session of oh-my-pi",
  check: async (context) => {
    const path = join(ompFolder(context), "config.yml");
    const off = textsAt(await hostSettings(context, path), "disabledExtensions");
    if (!off.includes("extension-module:hotplug")) return [];
    return [{
      check: "host-switch",
      severity: "error",
      path,
      message: '"disabledExtensions" of oh-my-pi\'s settings leaves the extension out',
      remedy: 'Take "extension-module:hotplug" out of that list',
    }];
  },
};

/** A script made for a kind of host. */
function script(
  kind: "module" | "pi" | "omp",
  path: string,
  { program, version }: HookRequest,
): OwnFile {
  return { what: "file", path, text: hookFileText(kind, { program, version }), folder: null };
}

/** Where an extension lies: below the user's folder of the agent, or in the project. */
function inExtensions(
  { context, scope }: HookRequest,
  folder: string,
  inProject: string,
): string {
  const base = scope === "user" ? folder : join(context.workspacePath, inProject);
  return join(base, "extensions", "hotplug.js");
}

function piFolder({ machine }: SourceContext): string {
  return movedTo(machine, "PI_CODING_AGENT_DIR") ?? inHome(machine, ".pi", "agent");
}

function ompFolder({ machine }: SourceContext): string {
  const name = machine.env["PI_CONFIG_DIR"]?.trim() || ".omp";
  return movedTo(machine, "PI_CODING_AGENT_DIR") ?? inHome(machine, name, "agent");
}

/** What pi's file of trust says of the nearest folder that it knows. */
function nearest(trusted: Readonly<Record<string, unknown>>, folder: string): unknown {
  const known = Object.keys(objectAt(trusted as never))
    .filter((path) => folder === path || folder.startsWith(path.replace(/\/?$/, "/")))
    .toSorted((a, b) => b.length - a.length);
  const [path] = known;
  return path === undefined ? undefined : trusted[path];
}
