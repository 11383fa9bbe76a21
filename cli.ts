#!/usr/bin/env -S deno run --quiet --no-prompt --unstable-lazy-dynamic-imports --allow-all
/**
 * The command line `mcp`, also installed as `hotplug`: see `mcp --help`.
 *
 * @example Show every server that runs in the current folder
 * ```sh
 * deno run --allow-all jsr:@hotplug/mcp/cli status
 * ```
 *
 * @module
 */
import process from "node:process";
import { type Application, buildApplication, buildRouteMap, help } from "@stricli/core";
import { callCommand } from "./src/cli/commands/call.ts";
import { promptsCommand } from "./src/cli/commands/prompts.ts";
import { resourcesCommand } from "./src/cli/commands/resources.ts";
import { sourcesCommand } from "./src/cli/commands/sources.ts";
import { statusCommand } from "./src/cli/commands/status.ts";
import { toolsCommand } from "./src/cli/commands/tools.ts";
import { trustCommand } from "./src/cli/commands/trust.ts";
import { untrustCommand } from "./src/cli/commands/untrust.ts";
import type { CliContext } from "./src/cli/context.ts";
import { main } from "./src/cli/main.ts";
import { programName } from "./src/cli/program_name.ts";

/** How names of flags are written in help. */
const FORMATTING = {
  caseStyle: "convert-camel-to-kebab",
  useAliasInUsageLine: false,
  onlyRequiredInUsageLine: true,
} as const;

/**
 * Every command, its flags and its arguments. What a command does is loaded when it runs.
 * @internal
 */
export const application: Application<CliContext> = buildApplication(
  buildRouteMap({
    routes: {
      status: statusCommand,
      tools: toolsCommand,
      call: callCommand,
      resources: resourcesCommand,
      prompts: promptsCommand,
      trust: trustCommand,
      untrust: untrustCommand,
      sources: sourcesCommand,
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
    scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
    documentation: FORMATTING,
  },
  { help: help({ brief: "Print this help", defaultForRouteMap: true, formatting: FORMATTING }) },
);

if (import.meta.main) await main(application);
