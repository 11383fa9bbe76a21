import { basename, dirname, join } from "node:path";
import type { JsonObject } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import { type ConfigDocument, type ConfigFile, readConfigDocument } from "./config_document.ts";
import type { HostFormat } from "./host_format.ts";
import { inApplications, inData, inHome, inLocal } from "./host_paths.ts";
import type { HostFile, HostFolder } from "./host_source.ts";
import { namesAt, projectFolders } from "./project_folders.ts";
import { sideReport } from "./reporter.ts";
import { switchedOff } from "./server_entry.ts";
import type { SourceContext, SourceReading } from "./source.ts";

/** Name of the agent that Amazon Q starts unless its settings name another. */
const DEFAULT_AGENT = "q_cli_default";
/** Folder of the agents' files. */
const FOLDER = "cli-agents";

/** The folders of agents' files: those of the project, then the user's. */
export function agentFolders(context: SourceContext): readonly HostFolder[] {
  const inProject = projectFolders(context).map((base) => (
    { path: join(base, ".amazonq", FOLDER), base, scope: "project" as const }
  ));
  return [...inProject, { path: inHome(context.machine, ".aws", "amazonq", FOLDER) }];
}

/** The files of agents: those of the project, which win, then those of the user. */
export function agentFiles(context: SourceContext): readonly HostFile[] {
  return agentFolders(context).flatMap(({ path: folder, ...place }) =>
    filesIn(context, folder).map((path): HostFile => ({ ...place, path, format: { shared: true } }))
  );
}

function filesIn(context: SourceContext, folder: string): readonly string[] {
  return namesAt(context, folder).filter((name) => name.endsWith(".json")).map((name) =>
    join(folder, name)
  );
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
  format: Pick<HostFormat, "id" | "label">,
): Promise<SourceReading> {
  const files = agentFiles(context);
  if (files.length === 0) return reading;
  const agents = await Promise.all(files.map((file) => readAgent(context, file)));
  const settings = await readConfigDocument(context, { path: settingsFile(context.machine) });
  const named = chosenAgent(settings);
  const chosen = agents.find(({ name }) => name === named) ??
    agents.find(({ name }) => name === DEFAULT_AGENT);
  const others = new Map(agents.filter((agent) => agent !== chosen).map((one) => [one.path, one]));
  const definitions = reading.definitions
    .filter(({ source: { path } }) => path === null || !others.has(path))
    .map((definition) =>
      chosen !== undefined && !chosen.takesOthers && isShared(definition.source.path)
        ? switchedOff(definition, {
          list: "useLegacyMcpJson",
          path: chosen.path,
          remedy: `Set "useLegacyMcpJson" to true in "${chosen.path}"`,
        })
        : definition
    );
  const reports = reading.reports.map((report) => {
    const agent = others.get(report.path);
    if (agent === undefined || report.servers === 0) return report;
    const warning = `Its servers belong to the agent "${agent.name}", which is not the default`;
    const state = "empty" as const;
    return { ...report, state, servers: 0, warnings: [...report.warnings, warning] };
  });
  const until = `the agent "${DEFAULT_AGENT}" is the default`;
  const side = sideReport(format, settings, "user", { until });
  return { ...reading, definitions, reports: [...reports, side] };
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
function chosenAgent(settings: ConfigDocument): string {
  const chosen = settings.state === "loaded" ? settings.root["chat.defaultAgent"] : undefined;
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
