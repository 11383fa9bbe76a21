import assert from "node:assert/strict";
import { join } from "node:path";
import { loadAllMCPConfigs } from "../../src/plan/discover.ts";
import { TempMachine } from "../sources/temp_machine.ts";

const FILE = { mcpServers: { x: { command: "a", cwd: "tools" } } };
const CLINE = "User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json";

Deno.test("another home is read by its own system's layout, without this user's variables", async () => {
  for (const folder of ["AppData/Roaming", "Library/Application Support", ".config"]) {
    await using temp = await TempMachine.create();
    const path = await temp.write(`other/${folder}/Code/${CLINE}`, FILE);
    await temp.write("home/.cursor/mcp.json", { mcpServers: { mine: { command: "b" } } });
    const moved = await temp.write("moved/settings.json", { mcpServers: { moved: FILE } });
    const { machine, folders } = temp.context({ env: { CLINE_MCP_SETTINGS_PATH: moved } });
    const home = join(temp.root, "other");
    const { configs, sources } = await loadAllMCPConfigs({ machine, folders, home });
    assert.deepEqual(Object.keys(configs), ["x"]);
    assert.equal(sources["x"]?.path, path);
    assert.equal(configs["x"]?.cwd, join(home, "tools"));
  }
});
