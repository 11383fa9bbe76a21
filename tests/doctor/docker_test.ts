import assert from "node:assert/strict";
import { type DaemonAnswer, dockerFindings } from "../../src/doctor/docker.ts";
import { daemonAddress, knock, lookForDocker, socketOf } from "../../src/doctor/look_docker.ts";
import { sha256HexNow } from "../../src/tools/sha256.ts";
import { inPlace } from "../plan/made.ts";
import { of, program, running, told } from "./made.ts";

Deno.test("a daemon that does not answer is an error of the servers that need it", () => {
  const socket = "/var/run/docker.sock";
  const cases: readonly (readonly [DaemonAnswer, RegExp | null])[] = [
    ["answers", null],
    [
      "absent",
      /^error: .*"a" and "b" need, does not run: its socket is not there .*→ Start Docker/,
    ],
    ["refused", /nobody listens/],
    ["forbidden", /you may not use its socket .*→ Join the group/],
    ["silent", /does not answer/],
  ];
  for (const [answer, expected] of cases) {
    const found = told(dockerFindings({ socket, answer, servers: ["a", "b"] }));
    if (expected === null) assert.deepEqual(found, []);
    else assert.match(found[0] ?? "", expected);
  }
  assert.equal(dockerFindings({ socket, answer: "absent", servers: ["a"] })[0]?.server, "a");
});

Deno.test("the daemon is looked for where docker looks for it", () =>
  inPlace(async ({ home, write }) => {
    const linux = { home, platform: "linux" };
    assert.equal(daemonAddress({}, linux), "unix:///var/run/docker.sock");
    assert.equal(daemonAddress({ DOCKER_HOST: "tcp://far:2375" }, linux), "tcp://far:2375");
    await write("home/.docker/config.json", { currentContext: "desktop-linux" });
    assert.equal(daemonAddress({}, linux), "unix:///var/run/docker.sock", "an unknown context");
    await write(`home/.docker/contexts/meta/${sha256HexNow("desktop-linux")}/meta.json`, {
      Endpoints: { docker: { Host: "unix:///home/me/d.sock" } },
    });
    assert.equal(daemonAddress({}, linux), "unix:///home/me/d.sock");
    assert.equal(
      daemonAddress({ DOCKER_CONTEXT: "default" }, linux),
      "unix:///var/run/docker.sock",
    );
    await write("home/.docker/config.json", "{ broken");
    assert.equal(
      daemonAddress({}, { home, platform: "win32" }),
      "npipe:////./pipe/docker_engine",
    );
  }));

Deno.test("only sockets and pipes of this machine are knocked at", () => {
  assert.equal(socketOf("unix:///run/d.sock"), "/run/d.sock");
  assert.equal(socketOf("npipe:////./pipe/docker_engine"), "\\\\.\\pipe\\docker_engine");
  for (const other of ["tcp://a:1", "ssh://a", "npipe:////evil/pipe/x", "unix://", "x"]) {
    assert.equal(socketOf(other), null, other);
  }
});

Deno.test("a knock tells whether somebody listens", () =>
  inPlace(async ({ root, machine }) => {
    const path = `${root}/d.sock`;
    assert.equal(await knock(path), "absent");
    const listener = Deno.listen({ transport: "unix", path });
    assert.equal(await knock(path), "answers");
    const user = running(of("cursor", { command: "docker" }), { DOCKER_HOST: `unix://${path}` }, {
      program: program({ path: "/usr/bin/docker" }),
    });
    const other = running(of("cursor", { command: "npx" }), {}, { program: program() });
    const loser = { ...user, wins: false };
    const [daemon, ...more] = await lookForDocker([user, other, loser], machine);
    assert.deepEqual([daemon, more], [{ socket: path, answer: "answers", servers: ["one"] }, []]);
    listener.close();
    await Deno.writeTextFile(`${root}/no.sock`, "");
    assert.equal(await knock(`${root}/no.sock`), "refused");
  }));
