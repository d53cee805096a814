import assert from "node:assert/strict";
import { test } from "node:test";
import { Notices } from "../src/notices";

test("what is closed is not said again, until something else is", () => {
  const notices = new Notices();
  const said = (text, subject) => {
    notices.set("tiles", text === undefined ? undefined : { text, subject });
    return notices.shown?.text;
  };
  assert.equal(said("busy"), "busy");
  notices.close();
  assert.equal(notices.shown, undefined);
  for (const text of ["busy", undefined, "busy"]) {
    assert.equal(said(text), undefined, "between retries, and after them");
  }
  assert.equal(said("broken"), "broken");
  assert.equal(said("busy"), "busy");
  assert.equal(said("overviews: 1 %", "overviews"), "overviews: 1 %");
  notices.close();
  assert.equal(said("overviews: 2 %", "overviews"), undefined);
});

test("the page's own troubles go before those of tiles, and are closed alone", () => {
  const notices = new Notices();
  notices.set("tiles", { text: "busy" });
  notices.set("page", { text: "no such layer" });
  assert.equal(notices.shown?.text, "no such layer");
  notices.close();
  assert.equal(notices.shown?.text, "busy");
  notices.set("page", { text: "no such layer" });
  assert.equal(notices.shown?.text, "no such layer", "it happened once more");
});
