/**
 * A host in small that forgets to close what it opened: it loads the tools of the current folder
 * and exits.
 * @module
 */
import process from "node:process";
import { discoverAndLoadMCPTools } from "../../../mod.ts";

const { tools } = await discoverAndLoadMCPTools();
process.stdout.write(JSON.stringify({ tools: tools.map(({ tool }) => tool.name) }) + "\n");
process.exit(0);
