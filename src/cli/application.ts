import process from "node:process";
import { type Application, buildApplication, buildRouteMap, help } from "@stricli/core";
import { callCommand } from "./commands/call.ts";
import { exportCommand, importCommand } from "./commands/copies.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { addCommand, disableCommand, enableCommand, removeCommand } from "./commands/edits.ts";
import { explainCommand } from "./commands/explain.ts";
import { hooksRoutes } from "./commands/hooks.ts";
import { promptsCommand, resourcesCommand, toolsCommand } from "./commands/lists.ts";
import { logsCommand } from "./commands/logs.ts";
import { pauseCommand, reloadCommand, resumeCommand, retryCommand } from "./commands/sessions.ts";
import { serveCommand } from "./commands/serve.ts";
import { sourcesCommand } from "./commands/sources.ts";
import { statusCommand } from "./commands/status.ts";
import { trustCommand } from "./commands/trust.ts";
import { untrustCommand } from "./commands/untrust.ts";
import type { CliContext } from "./context.ts";
import { PARSER_TEXT, SUGGESTION_DISTANCE } from "./parser_words.ts";
import { programName } from "./program_name.ts";

/** How names of flags are written in help. */
const FORMATTING = {
  caseStyle: "convert-camel-to-kebab",
  useAliasInUsageLine: false,
  onlyRequiredInUsageLine: true,
} as const;

/** Every command, its flags and its arguments. What a command does is loaded when it runs. */
export const application: Application<CliContext> = buildApplication(
  buildRouteMap({
    routes: {
      status: statusCommand,
      reload: reloadCommand,
      tools: toolsCommand,
      call: callCommand,
      resources: resourcesCommand,
      prompts: promptsCommand,
      add: addCommand,
      remove: removeCommand,
      enable: enableCommand,
      disable: disableCommand,
      import: importCommand,
      export: exportCommand,
      pause: pauseCommand,
      resume: resumeCommand,
      retry: retryCommand,
      serve: serveCommand,
      trust: trustCommand,
      untrust: untrustCommand,
      sources: sourcesCommand,
      explain: explainCommand,
      doctor: doctorCommand,
      logs: logsCommand,
      hooks: hooksRoutes,
    },
    docs: {
      brief: "Finds, starts and shows the MCP servers of this machine and this project",
      fullDescription:
        "Finds, starts and shows the MCP servers of this machine and this project.\n" +
        'Start with "mcp status". "mcp <command> --help" tells more; "mcp --version" the version.',
    },
  }),
  {
    name: programName([process.argv[1], process.execPath]),
    scanner: {
      caseStyle: "allow-kebab-for-camel",
      allowArgumentEscapeSequence: true,
      distanceOptions: SUGGESTION_DISTANCE,
    },
    localization: { text: PARSER_TEXT },
    documentation: FORMATTING,
  },
  { help: help({ brief: "Print this help", defaultForRouteMap: true, formatting: FORMATTING }) },
);
