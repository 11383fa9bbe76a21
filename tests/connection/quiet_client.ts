// Connects to the server of the arguments and asks for all that can make a library print. What it
// prints itself is told by the exit status alone.
import { connectToServer } from "../../src/connection/connect.ts";
import {
  listPrompts,
  listResources,
  listResourceTemplates,
  listTools,
} from "../../src/connection/listing.ts";

const [command = "", ...args] = Deno.args;
const environment = Deno.env.toObject();
const connection = await connectToServer("s", { command, args, env: {}, headers: {}, cwd: "/" }, {
  timeout: 20_000,
  callTimeout: 20_000,
  environment,
  machine: { platform: "linux", env: environment, home: "/", tmp: "/tmp", cwd: "/", uid: null },
});
const { items } = await listTools(connection);
await listPrompts(connection);
await listResources(connection);
await listResourceTemplates(connection);
await connection.request("tools/call", { name: items[0]?.name ?? "", arguments: {} });
await connection.request("no/such", {}).catch(() => {});
await connection.close();
if (items.length === 0) Deno.exit(9);
