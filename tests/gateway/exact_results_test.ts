import assert from "node:assert/strict";
import { e2e, type World } from "../harness/e2e.ts";
import { fromRepository } from "../harness/repository.ts";
import { trap } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { EraHost, HOST_ERAS } from "./era_host.ts";
import { Served } from "./http/served.ts";

/** Members of results of which JavaScript would write something else than their server did. */
const MEMBERS = [
  '"content":[],"structuredContent":{"id":12345678901234567890,"x": 1.0, "y":1e2}',
  '"content":[],"structuredContent":{"__proto__":{"a":1},"b":2,"b":3},"_meta":{"10":1,"2":2}',
  String.raw`"content":[{"type":"text","text":"\ud800 \u0041 \/"}]`,
  `"content":[{"type":"text","text":"${"\u2028long".repeat(400_000)}"}]`,
  " ",
];

const TOOL = "raw_t";

async function rawServer(world: World): Promise<void> {
  const { command, args, env } = trap("");
  const script = fromRepository("tests/connection/servers/raw_stdio.ts");
  await world.userServers({ raw: { command, args: [...args.slice(0, -2), script], env } });
}

for (const era of HOST_ERAS) {
  const added = era === "legacy" ? "" : '"resultType":"complete"';

  e2e(`over stdio a host of the ${era} era gets results to the letter`, async (world) => {
    await rawServer(world);
    await using host = await EraHost.open(world, era);
    for (const members of MEMBERS) {
      const id = await host.start("tools/call", {
        name: TOOL,
        arguments: { do: "written", result: `{${members}}` },
      });
      const answered = host.raw.messages.indexOf(await host.raw.answer(id));
      const separator = added === "" || members === " " ? "" : ",";
      const wanted = `{"jsonrpc":"2.0","id":${id},"result":{${added}${separator}${members}}}`;
      const line = host.raw.lines[answered] ?? "";
      assert.ok(line === wanted, line.slice(0, 300));
    }
  });

  e2e(`over HTTP a host of the ${era} era gets results to the letter`, async (world) => {
    await rawServer(world);
    await using served = await Served.start(world);
    const session = era === "legacy" ? await served.initialize() : {};
    const called = async (members: string): Promise<string> => {
      const params = { name: TOOL, arguments: { do: "written", result: `{${members}}` } };
      const response = era === "legacy"
        ? await served.post(served.message("tools/call", params), session)
        : await served.modern("tools/call", params);
      return await response.text();
    };
    await until(async () => (await called("")).includes('"result"'), 20_000);
    for (const members of MEMBERS) {
      const separator = added === "" || members === " " ? "" : ",";
      const body = await called(members);
      assert.ok(body.includes(`"result":{${added}${separator}${members}}}`), body.slice(0, 300));
    }
  });
}
