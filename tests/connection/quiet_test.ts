import assert from "node:assert/strict";
import { withBench } from "./harness.ts";

for (const [file, fault] of [["raw_stdio.ts", "noisy"], ["two_eras.ts", "modern"]] as const) {
  Deno.test(`nothing is printed while ${file} ${fault} is connected and asked`, async () => {
    await withBench(async (bench) => {
      const { command, args } = bench.program(file, fault);
      const client = new URL("./quiet_client.ts", import.meta.url).pathname;
      const config = new URL("../../deno.json", import.meta.url).pathname;
      const output = await new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--quiet", "--no-check", "--config", config, client, command, ...args],
        cwd: bench.folder,
        env: bench.environment,
        clearEnv: true,
      }).output();
      const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
      assert.deepEqual([text(output.stdout), text(output.stderr), output.code], ["", "", 0]);
    });
  });
}
