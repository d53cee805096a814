// The spaces of the map: Web Mercator, longitude and latitude, and the file's own pixels.

import { Projection, fromLonLat, get as projectionOf, toLonLat, transformExtent } from "ol/proj";
import TileGrid from "ol/tilegrid/TileGrid";
import type { Coordinate } from "ol/coordinate";
import { imageSet, webMercator, worldCRS84 } from "./addresses";
import type { Bounds, LayerDocument, TileSet } from "./documents";
import type { Place, SpaceName } from "./state";

const tilePixels = 256;
const metersPerDegree = 111319.49079327358; // of longitude at the equator
const lastLatitude = 85.0511287798; // where Web Mercator ends

/** A space, for the view of one layer. */
export interface Space {
  readonly name: SpaceName;
  readonly projection: Projection;
  readonly unit: "m" | "px";
  readonly pointCRS: string; // of the coordinates shown to users
  readonly finest: number; // resolution of the layer's own pixels
  readonly extent: Bounds; // of the layer
  resolution(zoom: number): number;
  zoom(resolution: number): number;
  inside(outside: readonly [number, number]): Coordinate;
  outside(inside: Coordinate): [number, number];
  unitsPerPixel(at: Coordinate, resolution: number): number;
  describe(at: Coordinate): string;
}

export const spaceLabels: Record<SpaceName, string> = { map: "Map", lonlat: "Lon/lat", pixels: "Pixels" };

const tileSetIDs: Record<SpaceName, string> = { map: webMercator, lonlat: worldCRS84, pixels: imageSet };

/** tileSetIn returns the tile set of a layer in a space, if the layer has one. */
export function tileSetIn(layer: LayerDocument, name: SpaceName): TileSet | undefined {
  return layer.tile_matrix_sets.find((set) => set.id === tileSetIDs[name] && (name === "pixels" || layer.bounds !== null));
}

/** spacesOf returns the spaces that a layer can be shown in, the best one first. */
export function spacesOf(layer: LayerDocument): SpaceName[] {
  return (["map", "lonlat", "pixels"] as const).filter((name) => tileSetIn(layer, name));
}

/** spaceOf returns a space for a layer that can be shown in it. */
export function spaceOf(layer: LayerDocument, name: SpaceName): Space {
  const levels = tileSetIn(layer, name) ?? { maxzoom: 0 };
  switch (name) {
    case "map": return mapSpace(layer, levels.maxzoom);
    case "lonlat": return lonLatSpace(layer, levels.maxzoom);
    case "pixels": return pixelSpace(layer, levels.maxzoom);
  }
}

const mercator = projectionOf("EPSG:3857") as Projection;
const degrees = projectionOf("EPSG:4326") as Projection;
const pixels = new Projection({ code: "image", units: "pixels" });
const worldMeters = 40075016.68557849;

function mapSpace(layer: LayerDocument, maxZoom: number): Space {
  const resolution = (zoom: number) => worldMeters / tilePixels / 2 ** zoom;
  const [west, south, east, north] = eastward(layer);
  return {
    name: "map",
    projection: mercator,
    unit: "m",
    pointCRS: "EPSG:4326",
    finest: resolution(maxZoom),
    extent: transformExtent([west, Math.max(south, -lastLatitude), east, Math.min(north, lastLatitude)], degrees, mercator) as Bounds,
    resolution,
    zoom: (value) => Math.log2(resolution(0) / value),
    inside: (outside) => fromLonLat([...outside]),
    outside: (inside) => onEarth(toLonLat(inside)),
    unitsPerPixel: (at, value) => value * Math.cos(((toLonLat(at)[1] ?? 0) * Math.PI) / 180),
    describe: (at) => degreesText(toLonLat(at)),
  };
}

function lonLatSpace(layer: LayerDocument, maxZoom: number): Space {
  const resolution = (zoom: number) => 180 / tilePixels / 2 ** zoom;
  return {
    name: "lonlat",
    projection: degrees,
    unit: "m",
    pointCRS: "EPSG:4326",
    finest: resolution(maxZoom),
    extent: onGlobe(eastward(layer)),
    resolution,
    zoom: (value) => Math.log2(resolution(0) / value),
    inside: (outside) => [...outside],
    outside: onEarth,
    unitsPerPixel: (at, value) => value * metersPerDegree * Math.cos(((at[1] ?? 0) * Math.PI) / 180),
    describe: degreesText,
  };
}

// In the map of pixels y goes up, so rows are negative.
function pixelSpace(layer: LayerDocument, maxZoom: number): Space {
  const resolution = (zoom: number) => 2 ** (maxZoom - zoom);
  return {
    name: "pixels",
    projection: pixels,
    unit: "px",
    pointCRS: imageSet,
    finest: 1,
    extent: [0, -layer.height, layer.width, 0],
    resolution,
    zoom: (value) => maxZoom - Math.log2(value),
    inside: ([x, y]) => [x, -y],
    outside: ([x = 0, y = 0]) => [x, -y],
    unitsPerPixel: (_, value) => value,
    describe: ([x = 0, y = 0]) => `column ${Math.floor(x)}, row ${Math.floor(-y)}`,
  };
}

/** tileGridIn returns the grid of a layer's tiles in a space that it can be shown in. */
export function tileGridIn(layer: LayerDocument, name: SpaceName): TileGrid {
  const space = spaceOf(layer, name);
  const maxZoom = tileSetIn(layer, name)?.maxzoom ?? 0;
  const half = worldMeters / 2;
  const origin = { map: [-half, half], lonlat: [-180, 90], pixels: [0, 0] }[name];
  const resolutions = Array.from({ length: maxZoom + 1 }, (_, zoom) => space.resolution(zoom));
  return new TileGrid({ origin, resolutions, tileSize: tilePixels, extent: tilesExtent(space) });
}

// Beyond the date line the map shows tiles from the other end of the world, so the grid must have both.
function tilesExtent({ extent, projection }: Space): Bounds {
  const [left, bottom, right, top] = extent;
  const [worldLeft, , worldRight] = projection.getExtent() ?? [-Infinity, 0, Infinity];
  const crosses = left < (worldLeft ?? -Infinity) || right > (worldRight ?? Infinity);
  return crosses ? [worldLeft ?? left, bottom, worldRight ?? right, top] : extent;
}

/** placeAt converts a view to a place in the page's address. */
export function placeAt(space: Space, center: Coordinate, resolution: number): Place {
  const [x, y] = space.outside(center);
  return { zoom: space.zoom(resolution), x, y };
}

const zoomsBeyond = 4; // zoom levels beyond the layer's finest at which a place is still accepted

/** holds reports whether a layer has something to show at a place; pixels of one layer are no place in another. */
export function holds(layer: LayerDocument, name: SpaceName, { zoom, x, y }: Place): boolean {
  const levels = tileSetIn(layer, name);
  const [west, south, east, north] = eastward(layer);
  return name !== "pixels" && levels !== undefined && zoom >= levels.minzoom && zoom <= levels.maxzoom + zoomsBeyond
    && x >= west && x <= east && y >= south && y <= north;
}

// eastward returns the bounds of a layer with east greater than west, also across the date line.
function eastward(layer: LayerDocument): Bounds {
  const [west, south, east, north] = layer.bounds ?? [-180, -90, 180, 90];
  return [west, south, east < west ? east + 360 : east, north];
}

// onGlobe clips the bounds of a file at the poles, beyond which there are no tiles.
function onGlobe([west, south, east, north]: Bounds): Bounds {
  return [west, Math.max(south, -90), east, Math.min(north, 90)];
}

function onEarth([longitude = 0, latitude = 0]: Coordinate): [number, number] {
  return [((((longitude + 180) % 360) + 360) % 360) - 180, latitude];
}

function degreesText(coordinate: Coordinate): string {
  const [longitude, latitude] = onEarth(coordinate);
  const text = (degree: number, positive: string, negative: string) =>
    `${Math.abs(degree).toFixed(5)}° ${degree < 0 ? negative : positive}`;
  return `${text(latitude, "N", "S")}, ${text(longitude, "E", "W")}`;
}
