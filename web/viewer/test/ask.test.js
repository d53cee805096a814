import assert from "node:assert/strict";
import { test } from "node:test";
import { fetchRefusal } from "../src/ask";

// refusalOf is what the viewer makes of an answer.
function refusalOf(status, code) {
  globalThis.fetch = async () => new Response(JSON.stringify({ error: { code, message: "no" } }), { status });
  return fetchRefusal("/tiles/a");
}

test("lost pixels and wrong requests are final, other failures are not", async () => {
  for (const [status, code, isFinal, isDamage] of [
    [500, "damaged", true, true],
    [400, "invalid", true, false],
    [500, "internal", false, false],
    [503, "busy", false, false],
  ]) {
    const refusal = await refusalOf(status, code);
    assert.deepEqual([refusal.isFinal, refusal.isDamage], [isFinal, isDamage], code);
  }
});
