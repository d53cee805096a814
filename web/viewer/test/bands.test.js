import assert from "node:assert/strict";
import { test } from "node:test";
import { bandLabel, bandName, bandNamed, colorBands } from "../src/bands";

const layerOf = (...bands) => ({ bands: bands.map((band, at) => ({ index: at + 1, role: "data", color: "undefined", nodata: null, ...band })) });

test("a band is called by its name and its wavelength, and neither twice", () => {
  assert.equal(bandLabel({ name: "B04", color: "undefined", wavelength: 664.6 }, 4), "4 · B04 665 nm");
  assert.equal(bandLabel({ name: "665 nm", color: "undefined", wavelength: 665 }, 4), "4 · 665 nm");
  assert.equal(bandLabel({ color: "red" }, 1), "1 · red");
  assert.equal(bandLabel({ color: "undefined" }, 7), "7");
  assert.equal(bandLabel({ index: 7, name: "Band 7", color: "undefined" }, 7), "7");
  assert.equal(bandName(undefined), "");
});

test("opacity is no color", () => assert.deepEqual(colorBands(layerOf({ role: "opacity" }, {}, {})), [2, 3]));

test("a written band is found by its number, its label, its wavelength, or its name", () => {
  const layer = layerOf({ name: "blue" }, { name: "NIR narrow" }, { name: "nir" }, { wavelength: 665 });
  for (const [text, band] of [["2", 2], ["b3", 3], ["4 · 665 nm", 4], ["blue", 1], ["NIR", 3], ["nir n", 2], ["narrow", 2], ["665", 4], ["650 nm", 4], ["650.5nm", 4], ["700", undefined], ["0", undefined], ["5", undefined], ["swir", undefined], [" ", undefined]]) {
    assert.equal(bandNamed(layer, text), band, text);
  }
});
