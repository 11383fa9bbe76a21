/** Version of Hotplug that wrote this file. */
export const VERSION = "0.0.0";

/** Command line of the `mcp` that wrote this file; empty when it is looked for on PATH. */
export const PROGRAM = /** @type {readonly string[]} */ ([]);

/** What `mcp serve` is told that it serves. */
export const HOST = "module";
