import assert from "node:assert/strict";
import { e2e } from "../harness/e2e.ts";
import { sdkServer } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { ANSWERS, CLIENTS, overStdio } from "./asked_clients.ts";

const BOTH = { old: sdkServer("asking_legacy"), new: sdkServer("asking_modern") };

for (const { name, isModern, connect } of CLIENTS) {
  e2e(`${name} is asked for all that servers of both eras need in a call`, async (world) => {
    await world.userServers(BOTH);
    const client = await connect(overStdio(world));
    try {
      await client.listing("old_form", "new_form");
      for (const [question, answer] of Object.entries(ANSWERS)) {
        assert.deepEqual(await client.call(`old_${question}`), answer, `old ${question}`);
        assert.deepEqual(await client.call(`new_${question}`), {
          inputResponses: { [question]: answer },
          state: true,
        }, `new ${question}`);
      }
    } finally {
      await client.close();
    }
  });

  e2e(`${name} is asked for several things at once, and in a row`, async (world) => {
    await world.userServers(BOTH);
    const client = await connect(overStdio(world));
    const { form, sample, roots } = ANSWERS;
    try {
      await client.listing("old_form", "new_form");
      assert.deepEqual(await client.call("old_several"), [form, sample, roots]);
      assert.deepEqual(await client.call("new_several"), {
        inputResponses: { form, sample, roots },
        state: true,
      });
      assert.deepEqual(await client.call("old_row"), [form, sample, roots]);
      assert.deepEqual(await client.call("new_row"), [{ form }, { sample }, { roots }]);
    } finally {
      await client.close();
    }
  });

  e2e(`${name} that can do nothing is asked for nothing, and servers know`, async (world) => {
    await world.userServers(BOTH);
    const client = await connect(overStdio(world), {});
    try {
      await client.listing("old_form", "new_form");
      const [{ capabilities }] = await client.call("old_seen") as [{ capabilities: unknown }];
      assert.deepEqual(capabilities, {});
      for (const question of ["form", "sample", "roots"]) {
        assert.match(JSON.stringify(await client.call(`old_${question}`)), /-32601|not support/);
        await assert.rejects(client.call(`new_${question}`), /-32021|-32603|capabilit/i);
      }
      assert.deepEqual(client.asked, []);
    } finally {
      await client.close();
    }
  });

  e2e(`${name} goes on hearing of a call's progress after it was asked`, async (world) => {
    await world.userServers(BOTH);
    const client = await connect(overStdio(world));
    try {
      await client.listing("old_form", "new_form");
      const steps = await client.progress("old_steps");
      assert.ok(steps.includes(2), `${steps}`);
      const forms = client.asked.filter(({ method }) => method === "elicitation/create");
      assert.equal(forms.length, 1);
    } finally {
      await client.close();
    }
  });

  e2e(`${name} is sent to a page that an error of a call names, in its own way`, async (world) => {
    await world.userServers(BOTH);
    const client = await connect(overStdio(world));
    try {
      await client.listing("old_form", "new_form");
      if (isModern) {
        const visited = client.call("old_visit");
        await until(() => client.asked.length === 1, 20_000);
        // Its server says that the page's business is done.
        await client.call("old_complete");
        assert.equal(await visited, "been there");
        assert.deepEqual(client.asked[0]?.params, {
          mode: "url",
          url: "https://example.com/visit",
          message: "Look",
        });
      } else {
        const refusal = await client.call("old_visit").then(() => null, (thrown) => thrown);
        assert.equal(refusal?.code, -32042);
        await client.call("old_complete");
        await until(() => client.completed.length > 0, 20_000);
        assert.deepEqual(client.completed, ["page-1"]);
        assert.equal(await client.call("old_visit"), "been there");
      }
    } finally {
      await client.close();
    }
  });
}
