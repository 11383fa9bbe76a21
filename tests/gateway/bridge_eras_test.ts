import assert from "node:assert/strict";
import { e2e } from "../harness/e2e.ts";
import { sdkServer } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { ANSWERS, type AskedClient, CLIENTS, overStdio } from "./asked_clients.ts";

const BOTH = { old: sdkServer("asking_legacy"), new: sdkServer("asking_modern") };

for (const { name, isModern, connect } of CLIENTS) {
  e2e(
    `${name} is asked for all that servers of both eras need: in a call, at once, in a row, on a page`,
    async (world) => {
      await world.userServers(BOTH);
      const client = await connect(overStdio(world));
      try {
        await client.listing("old_form", "new_form");
        await asksForEach(client);
        await asksForSeveral(client);
        await goesOnToReport(client);
        await (isModern ? visitsPage(client) : isToldOfPage(client));
      } finally {
        await client.close();
      }
    },
  );

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
}

/** Each question of both eras is answered in the middle of its call. */
async function asksForEach(client: AskedClient): Promise<void> {
  for (const [question, answer] of Object.entries(ANSWERS)) {
    assert.deepEqual(await client.call(`old_${question}`), answer, `old ${question}`);
    assert.deepEqual(await client.call(`new_${question}`), {
      inputResponses: { [question]: answer },
      state: true,
    }, `new ${question}`);
  }
}

/** Several questions come at once, and in a row. */
async function asksForSeveral(client: AskedClient): Promise<void> {
  const { form, sample, roots } = ANSWERS;
  assert.deepEqual(await client.call("old_several"), [form, sample, roots]);
  assert.deepEqual(await client.call("new_several"), {
    inputResponses: { form, sample, roots },
    state: true,
  });
  assert.deepEqual(await client.call("old_row"), [form, sample, roots]);
  assert.deepEqual(await client.call("new_row"), [{ form }, { sample }, { roots }]);
}

/** A call's progress is heard of after it has asked, too. */
async function goesOnToReport(client: AskedClient): Promise<void> {
  const before = client.asked.length;
  const steps = await client.progress("old_steps");
  assert.ok(steps.includes(2), `${steps}`);
  const forms = client.asked.slice(before).filter(({ method }) => method === "elicitation/create");
  assert.equal(forms.length, 1);
}

/** A client of the modern era is asked to visit the page that an error of a call names. */
async function visitsPage(client: AskedClient): Promise<void> {
  const before = client.asked.length;
  const visited = client.call("old_visit");
  await until(() => client.asked.length > before);
  // Its server says that the page's business is done.
  await client.call("old_complete");
  assert.equal(await visited, "been there");
  assert.deepEqual(client.asked.slice(before).map(({ params }) => params), [{
    mode: "url",
    url: "https://example.com/visit",
    message: "Look",
  }]);
}

/** One of the legacy era gets the error itself, and is told when it may call again. */
async function isToldOfPage(client: AskedClient): Promise<void> {
  const refusal = await client.call("old_visit").then(() => null, (thrown) => thrown);
  assert.equal(refusal?.code, -32042);
  const before = client.completed.length;
  await client.call("old_complete");
  await until(() => client.completed.length > before);
  assert.deepEqual(client.completed.slice(before), ["page-1"]);
  assert.equal(await client.call("old_visit"), "been there");
}
