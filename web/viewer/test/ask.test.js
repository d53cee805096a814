import assert from "node:assert/strict";
import { test } from "node:test";
import { fetchRefusal } from "../src/ask";

// refusalOf is what the viewer makes of an answer.
function refusalOf(status, code) {
  globalThis.fetch = async () => new Response(JSON.stringify({ error: { code, message: "no" } }), { status });
  return fetchRefusal("/tiles/a");
}

test("lost pixels and wrong requests are final, other failures are not", async () => {
  for (const [status, code, isFinal, isDamage, isPassing] of [
    [500, "damaged", true, true, false],
    [400, "invalid", true, false, false],
    [500, "internal", false, false, false],
    [503, "busy", false, false, true],
    [429, "too_many_requests", false, false, true],
    [502, "", false, false, true],
    [504, "", false, false, true],
  ]) {
    const refusal = await refusalOf(status, code);
    assert.deepEqual([refusal.isFinal, refusal.isDamage, refusal.isPassing], [isFinal, isDamage, isPassing], String(status));
  }
});

test("a server that does not answer is away, and may be back later", async () => {
  globalThis.fetch = async () => { throw new TypeError("refused"); };
  const refusal = await fetchRefusal("/tiles/a");
  assert.deepEqual([refusal.isAway, refusal.isPassing, refusal.isFinal], [true, true, false]);
});
