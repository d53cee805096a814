import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultBands, isSingle, modeOf, shownBands } from "../src/bands";

const layerOf = (...colors) => ({ bands: colors.map((color) => ({ color, nodata: null })) });

const layers = [
  ["gray", layerOf("gray"), [1], "single"],
  ["gray and alpha", layerOf("gray", "alpha"), [1], "single"],
  ["red, green and blue", layerOf("red", "green", "blue"), [1, 2, 3], "rgb"],
  ["blue, green, red and alpha", layerOf("blue", "green", "red", "alpha"), [3, 2, 1], "rgb"],
  ["four without colours", layerOf("undefined", "undefined", "undefined", "undefined"), [1, 2, 3], "rgb"],
  ["a palette", layerOf("palette"), [1], "single"],
  ["two", layerOf("gray", "undefined"), [1], "single"],
];

for (const [name, layer, bands, mode] of layers) {
  test(`bands of ${name}`, () => {
    assert.deepEqual(defaultBands(layer), bands);
    assert.equal(modeOf(layer, {}), mode);
  });
}

const rgb = layerOf("red", "green", "blue");
test("a colour map takes one band", () => assert.deepEqual(shownBands(rgb, { colorMap: "viridis" }), [1]));
test("bands asked for are shown", () => assert.deepEqual(shownBands(rgb, { bands: [3] }), [3]));
test("an expression of one output is single", () => assert.equal(isSingle(rgb, { expression: "b1/b2" }), true));
test("an expression of three is not", () => assert.equal(isSingle(rgb, { expression: "b1;b2;b3" }), false));
