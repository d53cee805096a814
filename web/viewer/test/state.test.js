import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, stateOf } from "../src/state";

const whole = { left: { layer: "dem", style: {} }, split: 0.5 };

for (const place of ["1e308/7/46", "3/1e308/0", "3/0/-1e12", "NaN/1/2", "3/Infinity/0", "3/7"]) {
  test(`no place: ${place}`, () => assert.deepEqual(stateOf(`#dem/${place}`), whole));
}

const states = [
  ["a whole layer", whole],
  ["a name with marks of addresses", { ...whole, left: { layer: "a/b c?d#e&f=g%h+ü", style: {} } }],
  ["a place on the map", { ...whole, place: { zoom: 11.25, x: -123.38831, y: -48.92684 } }],
  ["a place in pixels", { ...whole, space: "pixels", place: { zoom: 2.5, x: 2304.5, y: 1536 } }],
  ["another space", { ...whole, space: "lonlat" }],
  ["all choices of a style", {
    ...whole,
    left: {
      layer: "scene",
      style: {
        name: "ndvi", bands: [4, 3, 2], rescale: [[-0.25, 1e-7], [0, 3000]], gamma: 1.4, colorMap: "viridis_r", resampling: "cubic",
        others: [["nodata", "0"], ["background", "#102030"]],
      },
    },
  }],
  ["an expression", { ...whole, left: { layer: "scene", style: { expression: "(b4-b3)/(b4+b3) & 1; b1 % 2", stretch: "percentile:2,98" } } }],
  ["a relief", { ...whole, left: { layer: "dem", style: { algorithm: "hillshade", relief: { azimuth: 270, angle_altitude: 30 } } } }],
  ["two sides", {
    left: { layer: "a", style: { colorMap: "magma" } }, right: { layer: "b", style: { bands: [1], stretch: "dra" } }, split: 0.25,
    place: { zoom: 3, x: 7.5, y: 46 },
  }],
];

for (const [name, state] of states) {
  test(`the address of ${name} says all of it`, () => {
    assert.deepEqual(stateOf(addressOf(state)), state);
  });
}

test("an address is readable", () => {
  const style = { expression: "(b2-b1)/(b2+b1)", rescale: [[-0.2, 0.9]], colorMap: "rdylgn" };
  const state = { left: { layer: "demo", style }, split: 0.5, place: { zoom: 10.5, x: -123.4, y: -48.9 } };
  assert.equal(addressOf(state), "#demo/10.50/-123.4/-48.9?expression=(b2-b1)/(b2%2Bb1)&rescale=-0.2,0.9&colormap_name=rdylgn");
});

test("the address of the plain page leads to the same place", () => {
  assert.deepEqual(stateOf("#my%20layer/4.00/12.5/-3"), { left: { layer: "my layer", style: {} }, split: 0.5, place: { zoom: 4, x: 12.5, y: -3 } });
});

const damaged = [
  ["nothing", "", undefined],
  ["an empty hash", "#", undefined],
  ["a style without a layer", "#?bidx=1", undefined],
  ["half a place", "#dem/3/7", whole],
  ["a place that is no numbers", "#dem/a/b/c", whole],
  ["a space that there is not", "#dem?space=mars", whole],
  ["a divider outside", "#dem?split=7", whole],
  ["a broken escape", "#d%zzem", { ...whole, left: { layer: "d%zzem", style: {} } }],
  ["bands that are no numbers", "#dem?bidx=x,2,0", { ...whole, left: { layer: "dem", style: { bands: [2] } } }],
  ["a relief that is no JSON", "#dem?algorithm=slope&algorithm_params={", { ...whole, left: { layer: "dem", style: { algorithm: "slope", relief: {} } } }],
  ["parameters of nobody", "#dem?utm_source=x", whole],
];

for (const [name, address, want] of damaged) {
  test(`an address with ${name} is read as far as it goes`, () => {
    assert.deepEqual(stateOf(address), want);
  });
}
