// What to paste where to see a layer in another viewer.

import { allows, extensionOf } from "./allow.js";

// recipesOf is a list of { name, addresses: [{ name, text }], note } for a layer.
export function recipesOf(layer, grid) {
  const at = (path) => new URL(path, document.baseURI).href.replace(/%7B/g, "{").replace(/%7D/g, "}");
  const id = encodeURIComponent(layer.id);
  const extension = extensionOf(layer, "png", "webp", "jpg");
  const preview = at(`layers/${id}/preview.${extension}?max_size=1024`);
  const places = { id, at, grid, layer, extension, preview, tiles: at(grid.tiles) };
  return layer.bounds ? mapRecipes(places) : imageRecipes(places);
}

function mapRecipes({ id, at, grid, layer, extension, preview, tiles }) {
  const [west, south, east, north] = layer.bounds.map((degrees) => Number(degrees.toFixed(6)));
  const tileJSON = at(`layers/${id}/tilejson.json`);
  return [
    {
      name: "URLs",
      addresses: [
        { name: "XYZ tiles", text: `${tiles}.${extension}` },
        { name: "TileJSON", text: tileJSON },
        { name: "Preview", text: preview },
      ],
      note: noteOnTiles(layer, extension),
    },
    {
      name: "Leaflet",
      addresses: [{
        name: "JavaScript",
        text: `L.tileLayer("${tiles}.${extension}", {
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
    url: "${tiles}.${extension}",
    maxZoom: ${grid.maxZoom},
  }),
  extent: ol.proj.transformExtent(
    [${west}, ${south}, ${east}, ${north}], "EPSG:4326", "EPSG:3857"),
});`,
      }],
    },
    {
      name: "QGIS",
      addresses: [{ name: "URL of a new XYZ connection", text: `${tiles}.${extension}` }],
      note: `In the browser panel: XYZ Tiles, New Connection. Set the maximum zoom level to ${grid.maxZoom}.`,
    },
    { name: "curl", addresses: curlOf({ grid, extension, preview, tiles }, tileJSON) },
  ];
}

function imageRecipes({ grid, layer, extension, preview, tiles }) {
  const { width, height } = layer;
  return [
    {
      name: "URLs",
      addresses: [
        { name: "Tiles of the image", text: `${tiles}.${extension}` },
        { name: "Preview", text: preview },
      ],
      note: `This layer has no place on the earth, so its tiles are in pixels: level ${grid.maxZoom} is the full image.`,
    },
    {
      name: "Leaflet",
      addresses: [{
        name: "JavaScript",
        text: `const map = L.map("map", { crs: L.CRS.Simple, minZoom: 0 });
L.tileLayer("${tiles}.${extension}", {
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
    tileUrlFunction: ([z, x, y]) => \`${tiles.replace(/{([zxy])}/g, "${$1}")}.${extension}\` }),
});`,
      }],
    },
    { name: "curl", addresses: curlOf({ grid, extension, preview, tiles }) },
  ];
}

// noteOnTiles says what else the tiles of a layer may be.
function noteOnTiles(layer, extension) {
  const others = ["png", "webp", "jpg"].filter((name) => name !== extension && allows(layer, name));
  return `Tiles ${others.length > 0 ? `also come as ${others.map((name) => `.${name}`).join(" and ")}, and ` : "come "}twice as fine with @2x before the dot.`;
}

// curlOf asks for a tile in the middle of the layer, and for the rest.
function curlOf({ grid, extension, preview, tiles }, tileJSON) {
  const zoom = Math.max(grid.maxZoom - 1, 0);
  const [left, top, right, bottom] = grid.area;
  const middle = (from, to) => Math.floor(((from + to) / 2) * (2 ** zoom / 256));
  const tile = tiles.replace("{z}", zoom).replace("{x}", middle(left, right)).replace("{y}", middle(top, bottom));
  return [
    { name: "A tile", text: `curl -o tile.${extension} "${tile}.${extension}"` },
    { name: "The layer as a picture", text: `curl -o preview.${extension} "${preview}"` },
    ...(tileJSON ? [{ name: "What it is", text: `curl "${tileJSON}"` }] : []),
  ];
}
