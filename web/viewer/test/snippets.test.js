import assert from "node:assert/strict";
import { test } from "node:test";
import { parametersOf } from "../src/style";
import { recipesOf } from "../src/snippets";

const layer = {
  id: "my dem", title: "My heights", bounds: [7.1, 45.9, 7.2, 46], width: 400, height: 300, dtype: "float32",
  bands: [{ color: "gray", nodata: null }], crs: { code: "EPSG:2056", name: "LV95" }, statistics_version: "1", statistics: { version: "1" },
  styles: [], tile_matrix_sets: [
    { id: "WebMercatorQuad", minzoom: 10, maxzoom: 16 }, { id: "WorldCRS84Quad", minzoom: 9, maxzoom: 15 }, { id: "image", minzoom: 0, maxzoom: 1 },
  ],
};
const style = parametersOf({ expression: "b1+1", colorMap: "viridis" });
const base = "https://maps.example/imagery/";
const sets = { map: 0, lonlat: 1, pixels: 2 };
const subject = (space, parameters = style) => ({ layer, set: layer.tile_matrix_sets[sets[space]], space, style: parameters, base });
const textsOf = (space, parameters) =>
  Object.fromEntries(recipesOf(subject(space, parameters)).map(({ id, snippets }) => [id, Object.fromEntries(snippets.map(({ name, text }) => [name, text]))]));

test("the map has its viewers", () => assert.deepEqual(Object.keys(textsOf("map")), ["addresses", "leaflet", "openlayers", "maplibre", "qgis", "curl"]));
test("pixels have theirs", () => assert.deepEqual(Object.keys(textsOf("pixels")), ["addresses", "leaflet", "openlayers", "openseadragon", "curl"]));

test("tiles have the style and the path of the server", () => {
  assert.equal(textsOf("map").addresses["XYZ tiles"],
    "https://maps.example/imagery/tiles/my%20dem/{z}/{x}/{y}.png?expression=b1%2B1&colormap_name=viridis");
});
test("tiles of another set say so", () => {
  assert.equal(textsOf("lonlat", []).addresses["XYZ tiles"], "https://maps.example/imagery/tiles/my%20dem/WorldCRS84Quad/{z}/{x}/{y}.png");
  assert.equal(textsOf("lonlat", []).addresses.TileJSON, "https://maps.example/imagery/layers/my%20dem/tilejson.json?tms=WorldCRS84Quad");
  assert.equal(textsOf("pixels", []).addresses["Tiles of the image"], "https://maps.example/imagery/tiles/my%20dem/image/{z}/{x}/{y}.png");
});
test("braces of parameters are escaped, which curl would take for its own", () => {
  const relief = parametersOf({ algorithm: "hillshade", relief: { azimuth: 270 } });
  assert.equal(textsOf("map", relief).curl["The layer as a picture"],
    'curl -o my dem.png "https://maps.example/imagery/layers/my%20dem/preview.png?max_size=1024&algorithm=hillshade&algorithm_params=%7B%22azimuth%22:270%7D"');
});
test("WMTS has one address", () => {
  const address = "https://maps.example/imagery/wmts/1.0.0/WMTSCapabilities.xml";
  assert.deepEqual([textsOf("map").addresses.WMTS, textsOf("map").qgis.WMTS], [address, address]);
});
for (const [algorithm, encoding] of [["terrarium", "terrarium"], ["terrainrgb", "mapbox"]]) {
  test(`MapLibre shades heights that are coded as ${algorithm}`, () => {
    const code = textsOf("map", parametersOf({ algorithm })).maplibre.JavaScript;
    for (const part of ['type: "raster-dem"', `encoding: "${encoding}"`, 'type: "hillshade"', `{y}.png?algorithm=${algorithm}`]) {
      assert.ok(code.includes(part), `${part} is not in ${code}`);
    }
  });
}
test("MapLibre is offered heights that it can shade, of a layer that has some", () => {
  const heights = { ...subject("lonlat", []), layer: { ...layer, heights: true } };
  const { snippets } = recipesOf(heights).find(({ id }) => id === "maplibre");
  assert.equal(snippets.length, 2);
  for (const part of ['type: "raster-dem"', 'encoding: "terrarium"', "my%20dem/{z}/{x}/{y}.png?algorithm=terrarium", "maxzoom: 16"]) {
    assert.ok(snippets[1].text.includes(part), `${part} is not in ${snippets[1].text}`);
  }
  assert.equal(Object.keys(textsOf("map").maplibre).length, 1);
});
test("MapLibre has tiles of the web's map, whatever is shown", () => {
  const code = textsOf("lonlat", []).maplibre.JavaScript;
  assert.match(code, /"https:\/\/maps\.example\/imagery\/tiles\/my%20dem\/\{z\}\/\{x\}\/\{y\}\.webp"/);
  assert.match(code, /maxzoom: 16/);
});

// What is to be pasted must at least be JavaScript.
for (const space of Object.keys(sets)) {
  for (const { id, snippets } of recipesOf(subject(space))) {
    for (const { name, text } of snippets.filter((snippet) => snippet.name === "JavaScript")) {
      test(`${id} in ${space} is JavaScript`, () => assert.doesNotThrow(() => new Function(text), `${name}: ${text}`));
    }
  }
}
