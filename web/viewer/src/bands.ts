// Which bands a layer shows.

import { hasPalette } from "./addresses";
import type { Band, LayerDocument } from "./documents";
import type { Style } from "./style";

export type BandMode = "rgb" | "single" | "expression";

const primaries = ["red", "green", "blue"] as const;

/** bandLabel is the number of a band, and its name if it has one of its own. */
export function bandLabel(band: Band | undefined, number: number): string {
  const name = band?.name ?? (band && band.color !== "undefined" ? band.color : undefined);
  const wavelength = band?.wavelength ? ` ${Math.round(band.wavelength)} nm` : "";
  return `${number}${name ? ` · ${name}` : ""}${wavelength}`;
}

/** bandColor is what the bars of a band are drawn in, by its place among those shown. */
export function bandColor(place: number, count: number): "red" | "green" | "blue" | "gray" {
  return count === 3 ? primaries[place] ?? "gray" : "gray";
}

/** colorBands are the bands that are not opacity, from 1. */
export function colorBands(layer: LayerDocument): number[] {
  return layer.bands.flatMap((band, index) => (band.color === "alpha" ? [] : [index + 1]));
}

/** defaultBands are those that the server shows unasked: red, green and blue that say so, else the first three. */
export function defaultBands(layer: LayerDocument): number[] {
  const named = primaries.map((color) => 1 + layer.bands.findIndex((band) => band.color === color));
  if (named.every((band) => band > 0)) {
    return named;
  }
  const bands = colorBands(layer);
  return hasPalette(layer) || bands.length < 3 ? bands.slice(0, 1) : bands.slice(0, 3);
}

/** modeOf is how bands become a picture. */
export function modeOf(layer: LayerDocument, style: Style): BandMode {
  if (style.expression !== undefined) {
    return "expression";
  }
  return shownBands(layer, style).length === 1 ? "single" : "rgb";
}

/** shownBands are the bands of a picture, as far as the style tells. */
export function shownBands(layer: LayerDocument, style: Style): readonly number[] {
  if (style.bands) {
    return style.bands;
  }
  const bands = defaultBands(layer);
  return style.colorMap || style.algorithm ? bands.slice(0, 1) : bands;
}

/** isSingle tells whether one number a pixel is shown, which may be given colours. */
export function isSingle(layer: LayerDocument, style: Style): boolean {
  return style.expression !== undefined ? !style.expression.includes(";") : shownBands(layer, style).length === 1;
}
