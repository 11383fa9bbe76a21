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
import { main } from "./src/cli/main.ts";

if (import.meta.main) await main();
