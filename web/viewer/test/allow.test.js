import assert from "node:assert/strict";
import { test } from "node:test";
import { allowsFormat, allowsParameter, allowsSide, allowsValues, pictureExtension } from "../src/allow";

test("without rules everything is allowed", () => {
  for (const layer of [{}, { allow: {} }]) {
    assert(allowsFormat(layer, "tif") && allowsParameter(layer, "expression") && allowsValues(layer) && allowsSide(layer, 4096));
    assert.equal(pictureExtension(layer), "webp");
    assert.equal(pictureExtension(layer, ["png"]), "png");
  }
});

test("rules name what is allowed", () => {
  const layer = { allow: { formats: ["jpg", "png"], parameters: [], max_width: 512, max_height: 300, values: false } };
  assert(!allowsFormat(layer, "webp") && allowsFormat(layer, "jpg"));
  assert(!allowsParameter(layer, "bidx") && !allowsValues(layer));
  assert(allowsSide(layer, 300) && !allowsSide(layer, 301) && !allowsSide({ allow: { max_pixels: 100 } }, 11));
  assert.equal(pictureExtension(layer), "png");
  assert.equal(pictureExtension({ allow: { formats: ["jpg"] } }, ["png"]), "jpg");
  assert.equal(pictureExtension({ allow: { formats: [] } }), "webp");
});
