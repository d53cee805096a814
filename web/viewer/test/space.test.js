import assert from "node:assert/strict";
import { test } from "node:test";
import { holds, spaceOf, spacesOf, tileGridIn } from "../src/space";

const sets = [
  { id: "WebMercatorQuad", minzoom: 8, maxzoom: 13 }, { id: "WorldCRS84Quad", minzoom: 7, maxzoom: 12 }, { id: "image", minzoom: 0, maxzoom: 5 },
];
const island = { bounds: [-123.8, -49.1, -123, -48.75], width: 4608, height: 3073, tile_matrix_sets: sets };
const scan = { bounds: null, width: 301, height: 7, tile_matrix_sets: sets.slice(2) };
const polar = { ...island, bounds: [-180, 86, 180, 90], tile_matrix_sets: sets.slice(1) };

test("a layer has the spaces of its tile sets", () => {
  assert.deepEqual(spacesOf(island), ["map", "lonlat", "pixels"]);
  assert.deepEqual(spacesOf(polar), ["lonlat", "pixels"]);
  assert.deepEqual(spacesOf(scan), ["pixels"]);
});

for (const [name, outside] of [["map", [-123.4, -48.9]], ["lonlat", [179.5, -12.25]], ["pixels", [2304.5, 17.25]]]) {
  const space = spaceOf(island, name);
  test(`${name}: there and back`, () => {
    const back = space.outside(space.inside(outside));
    outside.forEach((want, index) => assert.ok(Math.abs(back[index] - want) < 1e-9, `${back}, want ${outside}`));
  });
  test(`${name}: a zoom is a resolution`, () => assert.ok(Math.abs(space.zoom(space.resolution(3.7)) - 3.7) < 1e-9));
  test(`${name}: the finest tiles have the layer's own pixels`, () => {
    const resolutions = tileGridIn(island, name).getResolutions();
    assert.equal(resolutions.at(-1), space.finest);
  });
}

test("the first tile of pixels begins in the corner of the image", () => {
  const grid = tileGridIn(scan, "pixels");
  assert.deepEqual(grid.getTileCoordExtent([5, 1, 0]), [256, -256, 512, 0]);
  assert.deepEqual(spaceOf(scan, "pixels").extent, [0, -7, 301, 0]);
});
test("tiles of longitude and latitude are two at zoom 0", () => {
  assert.deepEqual(tileGridIn(polar, "lonlat").getTileCoordExtent([0, 1, 0]), [0, -90, 180, 90]);
});

for (const [name, bounds] of [["west beyond east", [178, -20, -178, -15]], ["east beyond 180", [178, -20, 182, -15]]]) {
  test(`a layer across the date line, ${name}, is as wide as it is`, () => {
    const [west, , east] = spaceOf({ ...island, bounds }, "lonlat").extent;
    assert.deepEqual([west, east], [178, 182]);
  });
}
test("the grid of a layer across the date line has the tiles of both sides", () => {
  for (const name of ["map", "lonlat"]) {
    const extent = tileGridIn({ ...island, bounds: [178, -20, 182, -15] }, name).getExtent();
    const [left, , right] = spaceOf(island, name).projection.getExtent();
    assert.deepEqual([extent[0], extent[2]], [left, right]);
    const near = tileGridIn(island, name).getExtent();
    assert.deepEqual(near, spaceOf(island, name).extent);
  }
});
test("longitudes stay on the earth", () => assert.deepEqual(spaceOf(island, "lonlat").outside([181, 3]), [-179, 3]));

const places = [
  ["in its middle", { zoom: 11, x: -123.4, y: -48.9 }, true],
  ["closer than its pixels", { zoom: 16.9, x: -123.4, y: -48.9 }, true],
  ["much closer", { zoom: 18, x: -123.4, y: -48.9 }, false],
  ["from where it is a dot", { zoom: 7, x: -123.4, y: -48.9 }, false],
  ["beside it", { zoom: 11, x: -122.9, y: -48.9 }, false],
];
for (const [name, place, want] of places) {
  test(`a layer is seen ${name}: ${want}`, () => assert.equal(holds(island, "map", place), want));
}
test("pixels of one layer are no place in another", () => assert.equal(holds(island, "pixels", { zoom: 2, x: 5, y: 5 }), false));

test("what a file claims beyond the poles is left out", () => {
  const tall = { ...island, bounds: [0, 0, 232, 274] };
  assert.deepEqual(spaceOf(tall, "lonlat").extent, [0, 0, 232, 90]);
});
