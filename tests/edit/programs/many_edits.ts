/**
 * Adds and removes servers of the store, for a test that runs several at once.
 *
 * Arguments: the home folder, this program's number, how many servers.
 */
import { addServers } from "../../../src/edit/add_servers.ts";
import { removeServer } from "../../../src/edit/remove_server.ts";
import type { Machine } from "../../../src/model/machine.ts";

const [home = "", number = "", count = ""] = Deno.args;
const machine: Machine = {
  platform: "linux",
  env: {},
  home,
  tmp: home,
  cwd: home,
  uid: Deno.uid(),
};

for (let index = 0; index < Number(count); index++) {
  const name = `p${number}-${index}`;
  const config = { command: "a", args: [name] };
  const { servers } = await addServers([{ name, config, dialect: "hotplug" }], { machine });
  if (servers[0]?.done !== "added") throw new Error(`${name}: ${servers[0]?.done}`);
  if (index % 2 === 1) await removeServer(`p${number}-${index - 1}`, { machine });
}
