// The addresses of the server. They are relative to the page, because the server may have any base path.

import { withQuery, type Pair } from "./style";

export const webMercator = "WebMercatorQuad";
export const worldCRS84 = "WorldCRS84Quad";
export const imageSet = "image";

export const layersAddress = "layers";
export const colorMapsAddress = "colormaps";
export const wmtsAddress = "wmts/1.0.0/WMTSCapabilities.xml";

export function layerAddress(id: string): string {
  return `layers/${encodeURIComponent(id)}`;
}

export function previewAddress(id: string, extension: string, maxSize: number, style: readonly Pair[] = []): string {
  return withQuery(`${layerAddress(id)}/preview.${extension}?max_size=${maxSize}`, style);
}

/** tilesAddress returns an address with {z}, {x} and {y} to fill in. */
export function tilesAddress(id: string, tileSet: string, ending: string, style: readonly Pair[]): string {
  const set = tileSet === webMercator ? "" : `/${tileSet}`;
  return withQuery(`tiles/${encodeURIComponent(id)}${set}/{z}/{x}/{y}${ending}`, style);
}

export function statisticsAddress(id: string, which: readonly Pair[], bins: number): string {
  return withQuery(`${layerAddress(id)}/statistics`, [...which, ["histogram_bins", String(bins)]]);
}

export function legendAddress(id: string, style: readonly Pair[]): string {
  return withQuery(`${layerAddress(id)}/legend.json`, style);
}

/** pointAddress returns the address of the values at a place, of all bands or an expression. Coordinates are in "image" or a system like EPSG:4326. */
export function pointAddress(id: string, [x, y]: readonly [number, number], crs: string, expression: string | undefined): string {
  return withQuery(`${layerAddress(id)}/point/${x},${y}?crs=${crs}`, expression ? [["expression", expression]] : []);
}

/** checkAddress returns an address that the server rejects if a style cannot be rendered. */
export function checkAddress(id: string, style: readonly Pair[]): string {
  return withQuery(`${layerAddress(id)}/tilejson.json?tms=${imageSet}`, style);
}

/** absolute returns the address for use outside of the page. It escapes all braces that are not to be filled in, because curl expands them. */
export function absolute(address: string, base: string): string {
  return new URL(address, base).href.replace(/%7B([xyz])%7D/gi, "{$1}");
}
