import { test } from "node:test";
import assert from "node:assert/strict";
import { later } from "../src/dom.ts";

test("the last call counts, and what is canceled never comes", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const calls = [];
  const call = later(200, (value) => calls.push(value));
  call("first");
  t.mock.timers.tick(150);
  call("second");
  t.mock.timers.tick(150);
  assert.deepEqual(calls, []);
  t.mock.timers.tick(50);
  assert.deepEqual(calls, ["second"]);
  call("third");
  call.cancel();
  t.mock.timers.tick(1000);
  assert.deepEqual(calls, ["second"]);
});
