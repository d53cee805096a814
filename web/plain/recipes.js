// What to paste where to see a layer in another viewer.

import { extensionOf } from "./allow.js";

// recipesOf is a list of { name, addresses: [{ name, text }], note } for a layer.
export function recipesOf(layer, grid) {
  const at = (path) => new URL(path, document.baseURI).href.replace(/%7B/g, "{").replace(/%7D/g, "}");
  const id = encodeURIComponent(layer.id);
  const places = { id, at, grid, layer, tiles: at(grid.tiles) };
  return (layer.bounds ? mapRecipes(places) : imageRecipes(places)).map((recipe) => inFormatOf(layer, recipe));
}

// inFormatOf is a recipe with pictures in a format that the layer allows.
function inFormatOf(layer, recipe) {
  const ending = `.${extensionOf(layer, "png", "webp", "jpg")}`;
  return { ...recipe, addresses: recipe.addresses.map((address) => ({ ...address, text: address.text.replaceAll(".png", ending) })) };
}

function mapRecipes({ id, at, grid, layer, tiles }) {
  const [west, south, east, north] = layer.bounds.map((degrees) => Number(degrees.toFixed(6)));
  const tileJSON = at(`layers/${id}/tilejson.json`);
  const preview = at(`layers/${id}/preview.png?max_size=1024`);
  return [
    {
      name: "URLs",
      addresses: [
        { name: "XYZ tiles", text: `${tiles}.png` },
        { name: "TileJSON", text: tileJSON },
        { name: "Preview", text: preview },
      ],
      note: "Tiles also come as .webp and .jpg, and twice as fine with @2x before the dot.",
    },
    {
      name: "Leaflet",
      addresses: [{
        name: "JavaScript",
        text: `L.tileLayer("${tiles}.png", {
  maxNativeZoom: ${grid.maxZoom},
  maxZoom: ${grid.maxZoom + 4},
  bounds: [[${south}, ${west}], [${north}, ${east}]],
}).addTo(map);
map.fitBounds([[${south}, ${west}], [${north}, ${east}]]);`,
      }],
    },
    {
      name: "OpenLayers",
      addresses: [{
        name: "JavaScript",
        text: `new ol.layer.Tile({
  source: new ol.source.XYZ({
    url: "${tiles}.png",
    maxZoom: ${grid.maxZoom},
  }),
  extent: ol.proj.transformExtent(
    [${west}, ${south}, ${east}, ${north}], "EPSG:4326", "EPSG:3857"),
});`,
      }],
    },
    {
      name: "QGIS",
      addresses: [{ name: "URL of a new XYZ connection", text: `${tiles}.png` }],
      note: `In the browser panel: XYZ Tiles, New Connection. Set the maximum zoom level to ${grid.maxZoom}.`,
    },
    { name: "curl", addresses: curlOf(tiles, grid, tileJSON, preview) },
  ];
}

function imageRecipes({ id, at, grid, layer, tiles }) {
  const preview = at(`layers/${id}/preview.png?max_size=1024`);
  const { width, height } = layer;
  return [
    {
      name: "URLs",
      addresses: [
        { name: "Tiles of the image", text: `${tiles}.png` },
        { name: "Preview", text: preview },
      ],
      note: `This layer has no place on the earth, so its tiles are in pixels: level ${grid.maxZoom} is the full image.`,
    },
    {
      name: "Leaflet",
      addresses: [{
        name: "JavaScript",
        text: `const map = L.map("map", { crs: L.CRS.Simple, minZoom: 0 });
L.tileLayer("${tiles}.png", {
  maxNativeZoom: ${grid.maxZoom},
  maxZoom: ${grid.maxZoom + 4},
}).addTo(map);
map.fitBounds([map.unproject([0, ${height}], ${grid.maxZoom}),
  map.unproject([${width}, 0], ${grid.maxZoom})]);`,
      }],
    },
    {
      name: "OpenLayers",
      addresses: [{
        name: "JavaScript",
        text: `const extent = [0, -${height}, ${width}, 0];
const tileGrid = new ol.tilegrid.TileGrid({
  extent, origin: [0, 0], tileSize: 256,
  resolutions: [${Array.from({ length: grid.maxZoom + 1 }, (_, zoom) => 2 ** (grid.maxZoom - zoom)).join(", ")}],
});
const projection = new ol.proj.Projection({ code: "pixels", units: "pixels", extent });
new ol.layer.Tile({
  source: new ol.source.TileImage({ projection, tileGrid,
    tileUrlFunction: ([z, x, y]) => \`${tiles.replace(/{([zxy])}/g, "${$1}")}.png\` }),
});`,
      }],
    },
    { name: "curl", addresses: curlOf(tiles, grid, undefined, preview) },
  ];
}

// curlOf asks for a tile in the middle of the layer, and for the rest.
function curlOf(tiles, grid, tileJSON, preview) {
  const zoom = Math.max(grid.maxZoom - 1, 0);
  const [left, top, right, bottom] = grid.area;
  const middle = (from, to) => Math.floor(((from + to) / 2) * (2 ** zoom / 256));
  const tile = tiles.replace("{z}", zoom).replace("{x}", middle(left, right)).replace("{y}", middle(top, bottom));
  return [
    { name: "A tile", text: `curl -o tile.png "${tile}.png"` },
    { name: "The layer as a picture", text: `curl -o preview.png "${preview}"` },
    ...(tileJSON ? [{ name: "What it is", text: `curl "${tileJSON}"` }] : []),
  ];
}
