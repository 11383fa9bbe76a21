/**
 * A host in small: loads the tools of the current folder, prints what came and how long it took.
 * @module
 */
import process from "node:process";
import { discoverAndLoadMCPTools } from "../../../mod.ts";

const start = performance.now();
const { tools, errors, connectedServers, manager } = await discoverAndLoadMCPTools();
const elapsedMs = Math.round(performance.now() - start);
const document = {
  elapsedMs,
  tools: tools.map(({ tool }) => tool.name),
  errors: errors.map(({ path }) => path),
  connectedServers,
};
process.stdout.write(JSON.stringify(document) + "\n");
await manager.disconnectAll();
