import assert from "node:assert/strict";
import { test } from "node:test";
import { bandMode, hasLegend, headingOf, isSingle, pictureOf } from "../src/picture";

const band = (index, more = {}) => ({ index, role: "data", color: "undefined", nodata: null, ...more });
const layerOf = (shows, bands, ...styles) => ({
  bands, default: shows, dtype: "uint16",
  styles: [{ name: "default", title: "Default", shows }, ...styles.map(([name, other]) => ({ name, title: name, shows: other }))],
});

const shown = { mode: "rgb", bidx: [3, 2, 1], stretch: "dra", rescale: [[3, 90], [4, 80], [5, 70]], resampling: "bilinear" };
const scene = layerOf(shown, ["blue", "green", "red", "nir"].map((name, at) => band(at + 1, { name })),
  ["ndvi", { mode: "colormap", expression: "(b4-b3)/(b4+b3)", stretch: "none", rescale: [[-1, 1]], colormap_name: "rdylgn", resampling: "bilinear" }],
  ["old", null]);

test("a picture begins with what the server tells", () => {
  const picture = pictureOf(scene, {});
  assert.deepEqual(picture.bands, [3, 2, 1]);
  assert.deepEqual(picture.ranges, shown.rescale);
  assert.equal(picture.stretch, "dra");
  assert.equal(bandMode(picture), "rgb");
});

test("so does one in a style of the layer", () => {
  const picture = pictureOf(scene, { name: "ndvi" });
  assert.equal(picture.expression, "(b4-b3)/(b4+b3)");
  assert.equal(picture.colorMap, "rdylgn");
  assert.deepEqual(picture.ranges, [[-1, 1]]);
  assert.equal(isSingle(picture), true);
});

test("a style that the server cannot tell of is as the default one", () => assert.deepEqual(pictureOf(scene, { name: "old" }).bands, [3, 2, 1]));

test("other bands have other ranges", () => {
  const picture = pictureOf(scene, { bands: [3, 2, 4] });
  assert.deepEqual(picture.bands, [3, 2, 4]);
  assert.equal(picture.ranges, undefined);
  assert.equal(picture.stretch, "dra");
});

test("an expression takes the place of bands, and bands that of an expression", () => {
  assert.deepEqual(pictureOf(scene, { expression: "b1/b2" }).bands, []);
  assert.equal(pictureOf(scene, { expression: "b1;b2;b3" }).mode, "rgb");
  const picture = pictureOf(scene, { name: "ndvi", bands: [1, 2, 3] });
  assert.equal(picture.expression, undefined);
  assert.equal(picture.colorMap, undefined);
});

test("bands may be given by their names", () => assert.deepEqual(pictureOf(scene, { others: [["bands", "nir,red,b1"]] }).bands, [4, 3, 1]));

test("samples as they are stay so for other bands, but not for what is computed", () => {
  const photograph = layerOf({ mode: "rgb", bidx: [1, 2, 3], stretch: "none", rescale: [[0, 255], [0, 255], [0, 255]], resampling: "bilinear" }, [1, 2, 3].map((at) => band(at)));
  assert.deepEqual(pictureOf(photograph, { bands: [3] }).ranges, [[0, 255]]);
  assert.equal(pictureOf(photograph, { expression: "b1/b2" }).stretch, "dra");
});

test("one given range is that of all bands", () => assert.deepEqual(pictureOf(scene, { rescale: [[1, 2]] }).ranges, [[1, 2], [1, 2], [1, 2]]));

test("a palette is one until its indices are asked for", () => {
  const palette = layerOf({ mode: "palette", bidx: [1], stretch: "none", rescale: null, resampling: "nearest" }, [band(1, { role: "palette" })]);
  assert.equal(pictureOf(palette, {}).mode, "palette");
  assert.equal(pictureOf(palette, { bands: [1] }).mode, "palette");
  assert.equal(pictureOf(palette, { colorMap: "viridis" }).mode, "colormap");
  assert.equal(pictureOf(palette, { stretch: "minmax" }).mode, "gray");
});

const heights = layerOf({ mode: "terrain", bidx: [1], algorithm: "hillshade", stretch: "none", rescale: [[0, 255]], resampling: "bilinear" }, [band(1, { role: "gray", color: "gray", name: "gray" })]);

test("what a style makes of heights can be taken back", () => {
  assert.equal(pictureOf(heights, {}).algorithm, "hillshade");
  const plain = pictureOf(heights, { algorithm: "none" });
  assert.equal(plain.algorithm, undefined);
  assert.equal(plain.ranges, undefined);
  assert.equal(plain.stretch, "dra");
});

test("shaded relief goes on with the colors and the stretch of heights", () => {
  const plain = layerOf({ mode: "gray", bidx: [1], stretch: "dra", rescale: [[3, 90]], resampling: "bilinear" }, [band(1, { role: "gray" })]);
  const relief = pictureOf(plain, { algorithm: "relief" });
  assert.deepEqual([relief.colorMap, relief.stretch, relief.ranges, relief.mode], ["hypsometric", "dra", [[3, 90]], "terrain"]);
  const shaded = layerOf({ mode: "terrain", bidx: [1], algorithm: "relief", stretch: "dra", rescale: [[3, 90]], colormap_name: "hypsometric" }, plain.bands);
  const flat = pictureOf(shaded, { algorithm: "none" });
  assert.deepEqual([flat.colorMap, flat.stretch, flat.ranges, flat.mode], [undefined, "dra", [[3, 90]], "gray"]);
  assert.equal(pictureOf(shaded, { algorithm: "slope" }).colorMap, undefined);
});

test("headings say what is shown", () => {
  const heading = (layer, style) => headingOf(layer, style, pictureOf(layer, style));
  assert.equal(heading(scene, { bands: [4] }), "Band 4 · nir");
  assert.equal(heading(scene, { name: "ndvi" }), "ndvi");
  assert.equal(heading(scene, { expression: "(b4-b3)/(b4+b3)" }), "NDVI");
  assert.equal(heading(scene, { expression: "b4/b3" }), "b4/b3");
  assert.equal(heading(heights, { algorithm: "slope" }), "Slope");
  assert.equal(heading(heights, { algorithm: "none" }), "");
});

test("colors of samples that a style has are fixed until others are chosen", () => {
  const stops = layerOf({ mode: "colormap", bidx: [1], stretch: "none", rescale: null, resampling: "bilinear" }, [band(1)]);
  assert.equal(pictureOf(stops, {}).hasFixedColors, true);
  assert.equal(pictureOf(stops, { algorithm: "relief" }).hasFixedColors, true);
  assert.equal(pictureOf(stops, { algorithm: "relief" }).colorMap, undefined);
  const named = pictureOf(stops, { colorMap: "viridis" });
  assert.deepEqual([named.hasFixedColors, named.stretch, named.mode], [false, "dra", "colormap"]);
  assert.equal(pictureOf(stops, { expression: "b1*2" }).hasFixedColors, false);
  assert.equal(pictureOf(scene, {}).hasFixedColors, false);
  const relief = layerOf({ mode: "terrain", bidx: [1], algorithm: "relief", stretch: "none", rescale: null, resampling: "bilinear" }, [band(1)]);
  assert.deepEqual([pictureOf(relief, {}).hasFixedColors, pictureOf(relief, {}).colorMap], [true, undefined]);
  assert.deepEqual([pictureOf(relief, { algorithm: "none" }).mode, pictureOf(relief, { algorithm: "none" }).hasFixedColors], ["colormap", true]);
  assert.equal(pictureOf(relief, { algorithm: "hillshade" }).hasFixedColors, false);
});

test("parameters of an algorithm are those of the style until it is chosen anew", () => {
  const contours = layerOf({ mode: "terrain", bidx: [1], algorithm: "contours", algorithm_params: { increment: 100 }, stretch: "none", rescale: [[0, 255]] }, [band(1)]);
  assert.deepEqual(pictureOf(contours, {}).relief, { increment: 100 });
  assert.equal(pictureOf(contours, { algorithm: "contours" }).relief, undefined);
  assert.deepEqual(pictureOf(contours, { algorithm: "contours", relief: { increment: 20 } }).relief, { increment: 20 });
});

test("colors that mean numbers have a legend", () => {
  assert.equal(hasLegend(pictureOf(scene, {})), false);
  assert.equal(hasLegend(pictureOf(scene, { bands: [2] })), true);
  assert.equal(hasLegend(pictureOf(heights, {})), false);
  assert.equal(hasLegend(pictureOf(heights, { algorithm: "slope" })), true);
});
