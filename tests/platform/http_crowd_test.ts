import assert from "node:assert/strict";
import { ON_LINUX } from "../harness/e2e.ts";
import { fromRepository } from "../harness/repository.ts";
import { until } from "../harness/until.ts";

/** Descriptors that the listening process may have, and clients that want one each. */
const DESCRIPTORS = 512;
const CLIENTS = 768;

for (const server of ["runtime", "node"] as const) {
  Deno.test({
    name: `${server}: a crowd that takes all descriptors keeps nobody out once it has gone`,
    ignore: !ON_LINUX,
    async fn(): Promise<void> {
      const child = new Deno.Command("sh", {
        args: [
          "-c",
          `ulimit -n ${DESCRIPTORS}; exec "$@"`,
          "sh",
          Deno.execPath(),
          ...["run", "--quiet", "--no-prompt", "--allow-all"],
          fromRepository("tests/platform/programs/listen_crowded.ts"),
          server,
        ],
        stdin: "null",
        stdout: "piped",
        stderr: "null",
      }).spawn();
      const crowd: Deno.TcpConn[] = [];
      try {
        let said = "";
        const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
        while (!said.includes("\n")) said += (await reader.read()).value ?? "\n";
        await reader.cancel();
        const port = Number(said);
        assert.ok(port > 0, said);
        for (let count = 0; count < CLIENTS; count++) {
          const connection = await Deno.connect({ hostname: "127.0.0.1", port }).catch(() => null);
          if (connection !== null) crowd.push(connection);
        }
        assert.ok(crowd.length > DESCRIPTORS / 2, "there is no crowd");
        for (const connection of crowd.splice(0)) connection.close();
        await until(async () => {
          try {
            const signal = AbortSignal.timeout(1_000);
            return await (await fetch(`http://127.0.0.1:${port}`, { signal })).text() === "fine";
          } catch {
            return false;
          }
        }, 20_000);
      } finally {
        for (const connection of crowd) connection.close();
        child.kill("SIGKILL");
        await child.status;
      }
    },
  });
}
