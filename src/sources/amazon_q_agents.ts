import { basename, dirname, join } from "node:path";
import type { JsonObject } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import { namesIn } from "../platform/local_files.ts";
import { type ConfigFile, readConfigDocument } from "./config_document.ts";
import { inApplications, inData, inHome, inLocal } from "./host_paths.ts";
import type { HostFile } from "./host_source.ts";
import { projectFolders } from "./project_folders.ts";
import { switchedOff } from "./server_entry.ts";
import type { SourceContext, SourceReading } from "./source.ts";

/** Name of the agent that Amazon Q starts unless its settings name another. */
const DEFAULT_AGENT = "q_cli_default";
/** Folder of the agents' files. */
const FOLDER = "cli-agents";

/** The files of agents: those of the project, which win, then those of the user. */
export function agentFiles(context: SourceContext): readonly HostFile[] {
  const own = inHome(context.machine, ".aws", "amazonq", FOLDER);
  return [
    ...projectFolders(context).flatMap((base) =>
      filesIn(join(base, ".amazonq", FOLDER)).map((path): HostFile => ({
        path,
        base,
        scope: "project",
        format: { shared: true },
      }))
    ),
    ...filesIn(own).map((path): HostFile => ({ path, format: { shared: true } })),
  ];
}

function filesIn(folder: string): readonly string[] {
  return namesIn(folder).filter((name) => name.endsWith(".json")).map((name) => join(folder, name));
}

/** An agent of Amazon Q's. */
interface Agent {
  /** Its name. */
  readonly name: string;
  /** Absolute path of its file. */
  readonly path: string;
  /** Whether the servers of `mcp.json` are its own, too. */
  readonly takesOthers: boolean;
}

/**
 * A reading in which the servers of the default agent alone count: those of other agents are left
 * out, and those of `mcp.json` are off when the default agent has a file that does not ask for them.
 */
export async function ofDefaultAgent(
  reading: SourceReading,
  context: SourceContext,
): Promise<SourceReading> {
  const files = agentFiles(context);
  if (files.length === 0) return reading;
  const agents = await Promise.all(files.map((file) => readAgent(context, file)));
  const named = await chosenAgent(context);
  const chosen = agents.find(({ name }) => name === named) ??
    agents.find(({ name }) => name === DEFAULT_AGENT);
  const others = new Map(agents.filter((agent) => agent !== chosen).map((one) => [one.path, one]));
  const definitions = reading.definitions
    .filter(({ source: { path } }) => path === null || !others.has(path))
    .map((definition) =>
      chosen !== undefined && !chosen.takesOthers && isShared(definition.source.path)
        ? switchedOff(definition, `"useLegacyMcpJson" of "${chosen.path}"`)
        : definition
    );
  const reports = reading.reports.map((report) => {
    const agent = others.get(report.path);
    if (agent === undefined || report.servers === 0) return report;
    const warning = `Its servers belong to the agent "${agent.name}", which is not the default`;
    const state = "empty" as const;
    return { ...report, state, servers: 0, warnings: [...report.warnings, warning] };
  });
  return { ...reading, definitions, reports };
}

/** Whether a file holds servers for whichever agent asks for them. */
function isShared(path: string | null): boolean {
  if (path === null || basename(path) !== "mcp.json") return false;
  return ["amazonq", ".amazonq"].includes(basename(dirname(path)));
}

async function readAgent(context: SourceContext, { path, scope }: HostFile): Promise<Agent> {
  const root = await rootOf(context, { path, project: scope === "project" });
  const name = root["name"];
  return {
    name: typeof name === "string" ? name : basename(path, ".json"),
    path,
    takesOthers: root["useLegacyMcpJson"] === true,
  };
}

/** The agent that the user chose in Amazon Q's settings. */
async function chosenAgent(context: SourceContext): Promise<string> {
  const root = await rootOf(context, { path: settingsFile(context.machine) });
  const chosen = root["chat.defaultAgent"];
  return typeof chosen === "string" ? chosen : DEFAULT_AGENT;
}

/** What a file holds; nothing when it cannot be used, which the report of its servers tells. */
async function rootOf(context: SourceContext, file: ConfigFile): Promise<JsonObject> {
  const document = await readConfigDocument(context, file);
  return document.state === "loaded" ? document.root : {};
}

/** Amazon Q's settings. */
function settingsFile(machine: Machine): string {
  const file = ["amazon-q", "settings.json"];
  if (machine.platform === "win32") return inLocal(machine, ...file);
  return machine.platform === "darwin"
    ? inApplications(machine, ...file)
    : inData(machine, ...file);
}
