import assert from "node:assert/strict";
import { test } from "node:test";
import { scaleBar } from "../src/scale";

const bars = [
  [1, "m", 100, "100 m"],
  [0.9, "px", 100 / 0.9, "100 px"],
  [10, "m", 100, "1 km"],
  [45, "m", 5000 / 45, "5 km"],
  [40000, "m", 50, "2,000 km"],
  [0.001, "m", 100, "10 cm"],
  [0.00001, "m", 100, "1 mm"],
  [8, "px", 500 / 8, "500 px"],
];

for (const [unitsPerPixel, unit, pixels, text] of bars) {
  test(`${unitsPerPixel} ${unit} a pixel`, () => {
    const bar = scaleBar(unitsPerPixel, unit);
    assert.equal(bar.text, text);
    assert.ok(Math.abs(bar.pixels - pixels) < 1e-6, `${bar.pixels} pixels, want ${pixels}`);
  });
}
