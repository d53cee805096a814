import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleExpression, isChosen, presetsOf } from "../src/presets";
import { changed } from "../src/style";

const band = (index, more) => ({ index, role: "data", color: "undefined", nodata: null, ...more });
const layerOf = (bidx, ...bands) => ({ styles: [], bands: bands.map((more, at) => band(at + 1, more)), default: { mode: "rgb", bidx, stretch: "dra", rescale: null } });
const choicesOf = (layer, id) => presetsOf(layer).find((preset) => preset.id === id)?.choices;

const named = layerOf([3, 2, 1], { name: "Blue" }, { name: "green" }, { name: "red" }, { name: "NIR" });
const measured = layerOf([4, 3, 2], { wavelength: 842 }, { wavelength: 490 }, { wavelength: 560 }, { wavelength: 665 });

test("bands are known by their names", () => {
  assert.deepEqual(choicesOf(named, "infrared").bands, [4, 3, 2]);
  assert.equal(choicesOf(named, "ndvi").expression, "(b4-b3)/(b4+b3)");
  assert.equal(choicesOf(named, "ndwi").expression, "(b2-b4)/(b2+b4)");
});

test("and by their wavelengths", () => {
  assert.deepEqual(choicesOf(measured, "infrared").bands, [1, 4, 3]);
  assert.equal(choicesOf(measured, "ndvi").expression, "(b1-b4)/(b1+b4)");
});

test("of many bands that are red, the one is meant that the server shows", () => {
  const many = layerOf([3, 1, 4], { wavelength: 550 }, { wavelength: 640 }, { wavelength: 660 }, { wavelength: 470 }, { wavelength: 850 });
  assert.deepEqual(choicesOf(many, "infrared").bands, [5, 3, 1]);
});

test("without infrared there is nothing to choose from", () => {
  assert.deepEqual(presetsOf(layerOf([1, 2, 3], { color: "red" }, { color: "green" }, { color: "blue" })), []);
  assert.deepEqual(presetsOf(layerOf([1, 2, 3], {}, {}, {}, { name: "nirvana" })), []);
});

test("natural color is what is shown unasked, if it is", () => {
  const [natural, infrared] = presetsOf(named);
  assert.equal(isChosen(natural, {}), true);
  assert.equal(isChosen(infrared, {}), false);
  assert.equal(isChosen(infrared, changed({ stretch: "minmax", resampling: "cubic" }, infrared.choices)), true);
  assert.deepEqual(choicesOf(layerOf([1, 2, 3], { name: "nir" }, { name: "red" }, { name: "green" }, { name: "blue" }), "natural").bands, [2, 3, 4]);
});

test("a style of the layer that shows the same is the one that is chosen", () => {
  const styles = [
    { name: "default", shows: named.default },
    { name: "plants", shows: { mode: "colormap", expression: "(nir - red)/(nir + red)" } },
    { name: "shaded", shows: { mode: "terrain", bidx: [4, 3, 2], algorithm: "relief" } },
  ];
  const layer = { ...named, styles };
  const ndvi = presetsOf(layer).find(({ id }) => id === "ndvi");
  assert.deepEqual([ndvi.choices.name, ndvi.choices.expression, ndvi.choices.rescale], ["plants", undefined, undefined]);
  assert.equal(ndvi.expression, "(b4-b3)/(b4+b3)");
  assert.equal(isChosen(ndvi, { name: "plants" }), true);
  assert.deepEqual(choicesOf(layer, "infrared").bands, [4, 3, 2]);
});

test("an example of an expression is of the layer's own bands", () => {
  assert.equal(exampleExpression(layerOf([1, 2, 3], { color: "red" }, { color: "green" }, { color: "blue" }, { name: "nir" })), "(b4-b1)/(b4+b1)");
  assert.equal(exampleExpression(measured), "(b1-b4)/(b1+b4)");
  assert.equal(exampleExpression(layerOf([1, 2, 3], {}, {}, {})), "(b1+b2)/2");
  assert.equal(exampleExpression(layerOf([1], {}, { role: "opacity" })), "b1*2");
});
