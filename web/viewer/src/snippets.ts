// Addresses and code that show a layer in other programs, in the current style.

import { allowsFormat, allowsValues, pictureExtension } from "./allow";
import { absolute, layerAddress, previewAddress, tilesAddress, webMercator, wmtsAddress, worldCRS84 } from "./addresses";
import type { LayerDocument, TileSet } from "./documents";
import { queryOf, withQuery, type Pair } from "./style";
import type { SpaceName } from "./state";

export interface Snippet {
  readonly name: string;
  readonly text: string;
}

export interface Recipe {
  readonly id: string;
  readonly name: string;
  readonly snippets: readonly Snippet[];
  readonly note?: string;
}

export interface Subject {
  readonly layer: LayerDocument;
  readonly set: TileSet; // the tile set of the current space
  readonly space: SpaceName;
  readonly style: readonly Pair[];
  readonly base: string; // address of the page
}

/** recipesOf returns the ways to use the layer in other programs. */
export function recipesOf(subject: Subject): Recipe[] {
  const own = subject.style.length === 0 ? undefined : subject.space === "pixels"
    ? "IIIF, DZI and Zoomify have the layer as the server styles it; the tiles of the image have the style shown here."
    : "WMTS, OGC API and TMS have the styles that the server names; XYZ and TileJSON have the style shown here.";
  const common: Recipe = { id: "addresses", name: "Addresses", snippets: addressesOf(subject), ...(own && { note: own }) };
  const curl: Recipe = { id: "curl", name: "curl", snippets: curlOf(subject) };
  if (subject.space === "pixels") {
    return [common, leafletPixels(subject), openLayersPixels(subject), openSeadragon(subject), curl];
  }
  return [common, leaflet(subject), openLayers(subject), mapLibre(subject), qgis(subject), curl];
}

function tilesOf({ layer, set, style, base }: Subject, extension = "png"): string {
  return absolute(tilesAddress(layer.id, set.id, `.${pictureExtension(layer, [extension])}`, style), base);
}

function addressesOf(subject: Subject): Snippet[] {
  const { layer, set, style, base, space } = subject;
  const id = encodeURIComponent(layer.id);
  const at = (path: string) => absolute(path, base);
  const tms: Pair[] = set.id === webMercator ? [] : [["tms", set.id]];
  const tileJSON = { name: "TileJSON", text: at(withQuery(`${layerAddress(layer.id)}/tilejson.json`, [...tms, ...style])) };
  const xyz = { name: space === "pixels" ? "Tiles of the image" : "XYZ tiles", text: tilesOf(subject) };
  const wmts = [
    { name: "WMTS", text: at(wmtsAddress) },
    { name: "OGC API Tiles and Maps", text: at(`ogc/collections/${id}`) },
    { name: "TMS", text: at(`tms/1.0.0/${id}@${set.id}`) },
  ];
  const images = [
    { name: "IIIF image", text: at(`iiif/${id}/info.json`) },
    { name: "Deep Zoom (DZI)", text: at(`dzi/${id}.dzi`) },
    { name: "Zoomify", text: at(`zoomify/${id}/ImageProperties.xml`) },
  ];
  const preview = { name: "A picture of it", text: at(previewAddress(layer.id, pictureExtension(layer, ["png"]), 1024, style)) };
  return space === "pixels" ? [xyz, ...images, preview] : [xyz, tileJSON, ...wmts, preview];
}

function boundsOf({ layer }: Subject): [number, number, number, number] {
  const [west, south, east, north] = (layer.bounds ?? [-180, -90, 180, 90]).map((degrees) => Number(degrees.toFixed(6)));
  return [west ?? -180, south ?? -90, east ?? 180, north ?? 90];
}

function leaflet(subject: Subject): Recipe {
  const [west, south, east, north] = boundsOf(subject);
  const map = subject.set.id === worldCRS84 ? 'const map = L.map("map", { crs: L.CRS.EPSG4326 });\n' : 'const map = L.map("map");\n';
  return {
    id: "leaflet", name: "Leaflet", snippets: [{
      name: "JavaScript",
      text: `${map}const bounds = [[${south}, ${west}], [${north}, ${east}]];
L.tileLayer("${tilesOf(subject)}", {
  bounds,
  maxNativeZoom: ${subject.set.maxzoom},
  maxZoom: ${subject.set.maxzoom + 4},
}).addTo(map);
map.fitBounds(bounds);`,
    }],
  };
}

function openLayers(subject: Subject): Recipe {
  const [west, south, east, north] = boundsOf(subject);
  const isLonLat = subject.set.id === worldCRS84;
  const grid = isLonLat ? `
  projection: "EPSG:4326",
  tileGrid: ol.tilegrid.createXYZ({ extent: [-180, -90, 180, 90], tileSize: 256, maxResolution: 180 / 256, maxZoom: ${subject.set.maxzoom} }),`
    : `
  maxZoom: ${subject.set.maxzoom},`;
  return {
    id: "openlayers", name: "OpenLayers", snippets: [{
      name: "JavaScript",
      text: `const extent = ol.proj.transformExtent(
  [${west}, ${south}, ${east}, ${north}], "EPSG:4326", "${isLonLat ? "EPSG:4326" : "EPSG:3857"}");
const source = new ol.source.XYZ({
  url: "${tilesOf(subject)}",${grid}
});
const map = new ol.Map({
  target: "map",
  layers: [new ol.layer.Tile({ source, extent })],
  view: new ol.View({ projection: "${isLonLat ? "EPSG:4326" : "EPSG:3857"}" }),
});
map.getView().fit(extent);`,
    }],
  };
}

function mapLibre(subject: Subject): Recipe {
  const mercator = { ...subject, set: subject.layer.tile_matrix_sets.find((set) => set.id === webMercator) ?? subject.set };
  const coded: Subject = { ...mercator, style: [["algorithm", "terrarium"]] };
  const hasHeights = subject.layer.heights && !codingOf(subject);
  return {
    id: "maplibre", name: "MapLibre",
    snippets: [
      { name: "JavaScript", text: mapLibreCode(mercator) },
      ...(hasHeights ? [{ name: "JavaScript: elevation that MapLibre shades", text: mapLibreCode(coded) }] : []),
    ],
    ...(subject.set.id !== webMercator && { note: "MapLibre shows the map of the web only, so these tiles are of WebMercatorQuad." }),
  };
}

function mapLibreCode(subject: Subject): string {
  const bounds = boundsOf(subject).join(", ");
  const [type, extra, layer] = codingOf(subject) ?? ["raster", "", "raster"];
  return `const map = new maplibregl.Map({
  container: "map",
  bounds: [${bounds}],
  style: {
    version: 8,
    sources: {
      raster: {
        type: "${type}",${extra}
        tiles: ["${tilesOf(subject, type === "raster" ? "webp" : "png")}"],
        tileSize: 256,
        bounds: [${bounds}],
        maxzoom: ${subject.set.maxzoom},
      },
    },
    layers: [{ id: "raster", type: "${layer}", source: "raster" }],
  },
});`;
}

// How MapLibre uses colors that encode heights: the kind of source, the encoding, and a layer that shades them.
function codingOf({ style }: Subject): [string, string, string] | undefined {
  const algorithm = style.find(([name]) => name === "algorithm")?.[1];
  const encoding = algorithm === "terrarium" ? "terrarium" : algorithm === "terrainrgb" ? "mapbox" : undefined;
  return encoding && ["raster-dem", `\n        encoding: "${encoding}",`, "hillshade"];
}

function qgis(subject: Subject): Recipe {
  return {
    id: "qgis", name: "QGIS", snippets: [
      { name: "WMTS", text: absolute(wmtsAddress, subject.base) },
      { name: "XYZ tiles, in the style shown here", text: tilesOf(subject) },
    ],
    note: `In the Browser panel, right-click WMS/WMTS or XYZ Tiles, choose New Connection, and paste the address. For XYZ tiles, set the maximum zoom level to ${subject.set.maxzoom}.`,
  };
}

function leafletPixels(subject: Subject): Recipe {
  const { layer, set } = subject;
  return {
    id: "leaflet", name: "Leaflet", snippets: [{
      name: "JavaScript",
      text: `const map = L.map("map", { crs: L.CRS.Simple, minZoom: 0 });
const corner = (x, y) => map.unproject([x, y], ${set.maxzoom});
const bounds = L.latLngBounds(corner(0, ${layer.height}), corner(${layer.width}, 0));
L.tileLayer("${tilesOf(subject)}", {
  bounds,
  maxNativeZoom: ${set.maxzoom},
  maxZoom: ${set.maxzoom + 4},
}).addTo(map);
map.fitBounds(bounds);`,
    }],
  };
}

function openLayersPixels(subject: Subject): Recipe {
  const { layer, set } = subject;
  const resolutions = Array.from({ length: set.maxzoom + 1 }, (_, zoom) => 2 ** (set.maxzoom - zoom));
  return {
    id: "openlayers", name: "OpenLayers", snippets: [{
      name: "JavaScript",
      text: `const extent = [0, -${layer.height}, ${layer.width}, 0];
const projection = new ol.proj.Projection({ code: "image", units: "pixels", extent });
const tileGrid = new ol.tilegrid.TileGrid({
  extent, origin: [0, 0], tileSize: 256, resolutions: [${resolutions.join(", ")}],
});
const source = new ol.source.XYZ({
  url: "${tilesOf(subject)}",
  projection, tileGrid, wrapX: false,
});
const map = new ol.Map({
  target: "map",
  layers: [new ol.layer.Tile({ source })],
  view: new ol.View({ projection }),
});
map.getView().fit(extent);`,
    }],
  };
}

function openSeadragon({ layer, base }: Subject): Recipe {
  return {
    id: "openseadragon", name: "OpenSeadragon", snippets: [{
      name: "JavaScript",
      text: `OpenSeadragon({
  id: "image",
  tileSources: "${absolute(`iiif/${encodeURIComponent(layer.id)}/info.json`, base)}",
});`,
    }],
  };
}

function curlOf(subject: Subject): Snippet[] {
  const { layer, base, style } = subject;
  const at = (path: string) => absolute(path, base);
  const extension = pictureExtension(layer, ["png"]);
  return [
    { name: "The layer as a picture", text: `curl -o ${layer.id}.${extension} "${at(previewAddress(layer.id, extension, 1024, style))}"` },
    { name: "What it is", text: `curl "${at(layerAddress(layer.id))}"` },
    ...(allowsValues(layer) ? [{ name: "Its statistics", text: `curl "${at(`${layerAddress(layer.id)}/statistics`)}"` }] : []),
    ...(!allowsFormat(layer, "tif") ? [] : subject.space === "pixels" ? [{ name: "Samples of 512 by 512 pixels", text: viewOf(subject, "bbox=0,0,512,512&crs=image&width=512&height=512") }]
      : [{ name: "As a GeoTIFF on a map of degrees", text: viewOf(subject, `bbox=${boundsOf(subject).join(",")}&width=1024`) }]),
  ];
}

// Samples are sent without stretch and colors, whatever the style says.
function viewOf({ layer, base, style }: Subject, query: string): string {
  const data = style.filter(([name]) => ["bidx", "expression"].includes(name));
  const more = data.length > 0 ? `&${queryOf(data)}` : "";
  return `curl -o ${layer.id}.tif "${absolute(`${layerAddress(layer.id)}/view.tif?${query}${more}`, base)}"`;
}

