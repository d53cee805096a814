import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

// The tests are run in the folder of the viewer.
const tokens = readFileSync("src/style/tokens.css", "utf8");
const [, light, dark] = /--ground: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/.exec(tokens) ?? [];

// The contrast of WCAG 2: 1 is none.
function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color) {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

for (const [name, ground] of [["light", light], ["dark", dark]]) {
  test(`black lines and white sheets are seen on the ${name} ground`, () => {
    assert.ok(contrast(ground, "#000000") > 2, "black");
    assert.ok(contrast(ground, "#ffffff") > 1.35, "white");
  });
}
