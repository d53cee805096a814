import assert from "node:assert/strict";
import { test } from "node:test";
import { FailedTiles } from "../src/failedtiles";

// A stage has failed tiles, and a server that answers each with its status, or not at all.
function stageOf(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const back = [];
  const asked = [];
  globalThis.fetch = async (status) => {
    asked.push(status);
    return new Response(JSON.stringify({ error: { message: `status ${status}` } }), { status });
  };
  const failed = new FailedTiles(() => back.push("retry"), () => {});
  const fail = async (...tiles) => {
    tiles.forEach(([status, failures]) => failed.add({ address: status, failures, putBack: () => back.push(status) }));
    await new Promise(setImmediate);
  };
  const after = (seconds) => {
    t.mock.timers.tick(1000 * seconds);
    return back.splice(0);
  };
  return { failed, fail, after, asked };
}

const broken = [500, 2];
const busy = [503, 7];

test("a tile that may still arrive is requested again, whatever others are refused for", async (t) => {
  for (const [first, second] of [[[broken], [busy]], [[broken, busy], []], [[busy, broken], []]]) {
    const { failed, fail, after } = stageOf(t);
    await fail(...first);
    await fail(...second);
    assert.equal(failed.refusal.status, 503);
    assert.ok(failed.isWaiting);
    const back = after(2);
    assert.ok(back.includes(503) && back.at(-1) === "retry", String(back));
    t.mock.timers.reset();
  }
});

test("a tile that was refused for good stays refused while others are requested again", async (t) => {
  const { failed, fail, after, asked } = stageOf(t);
  await fail(broken, busy);
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(after(2), [503, "retry"]);
    assert.equal(failed.refusal.message, "status 500");
    assert.ok(!failed.isWaiting);
    await fail(busy);
  }
  assert.deepEqual(asked, [500, 503, 503, 503, 503]);
  failed.again();
  assert.deepEqual(after(0), [500, 503, "retry"]);
  assert.equal(failed.refusal, undefined);
  assert.deepEqual(after(10), []);
});

test("a failure that is not final is tried once more, and a final one is not", async (t) => {
  const { failed, fail, after } = stageOf(t);
  await fail([500, 1]);
  assert.deepEqual(after(2), [500, "retry"]);
  await fail([500, 2]);
  await fail([400, 1]);
  assert.equal(failed.refusal.status, 400);
  assert.ok(!failed.isWaiting);
  assert.deepEqual(after(60), []);
});

test("one request finds out that the server is busy, for all tiles", async (t) => {
  const { fail, after, asked } = stageOf(t);
  await fail(busy, busy, busy);
  await fail(busy);
  assert.deepEqual(asked, [503]);
  assert.deepEqual(after(2), [503, 503, 503, 503, "retry"]);
});

test("a map that shows something else has no failed tiles", async (t) => {
  const { failed, fail, after } = stageOf(t);
  await fail(broken);
  const reading = fail(busy);
  failed.forget();
  await reading;
  assert.equal(failed.refusal, undefined);
  assert.ok(!failed.isWaiting);
  assert.deepEqual(after(10), [500, 503]);
});
