// The bands of a layer, as people know them.

import type { Band, LayerDocument } from "./documents";

const farthestNanometers = 25; // from what is written to the band that is meant
const primaries = ["red", "green", "blue"] as const;

/** bandLabel is the number of a band, and its name if it has one of its own. */
export function bandLabel(band: Band | undefined, number: number): string {
  return [String(number), bandName(band)].filter(Boolean).join(" · ");
}

/** bandName is what a file calls a band, with its wavelength. It is empty if the file says nothing. */
export function bandName(band: Band | undefined): string {
  const given = band?.name?.toLowerCase() === `band ${band?.index}` ? undefined : band?.name; // which says no more than its number
  const name = given ?? (band && band.color !== "undefined" ? band.color : "");
  const wavelength = band?.wavelength ? `${Math.round(band.wavelength)} nm` : "";
  return name.includes(wavelength) ? name : [name, wavelength].filter(Boolean).join(" ");
}

/** ownName is what a file calls a band, where that is more than its color. */
export function ownName(band: Band | undefined): string {
  const name = bandName(band);
  return name === band?.color ? "" : name;
}

/** bandColor is what the bars of a band are drawn in, by its place among those shown. */
export function bandColor(place: number, count: number): "red" | "green" | "blue" | "gray" {
  return count === 3 ? primaries[place] ?? "gray" : "gray";
}

/** colorBands are the bands that are not opacity, from 1. */
export function colorBands(layer: LayerDocument): number[] {
  return layer.bands.filter((band) => band.role !== "opacity").map((band) => band.index);
}

/** bandNamed is the band that a text means: its number, its label, its wavelength, its name, or the first name that begins so. */
export function bandNamed(layer: LayerDocument, text: string): number | undefined {
  const wanted = text.trim().toLowerCase();
  const number = /^b?(\d+)(?: ·.*)?$/.exec(wanted)?.[1];
  if (number !== undefined && Number(number) <= layer.bands.length) {
    return layer.bands[Number(number) - 1]?.index;
  }
  const wavelength = /^(\d+(?:\.\d+)?)(?: ?nm)?$/.exec(wanted)?.[1];
  if (wavelength !== undefined) {
    return bandOfWavelength(layer, Number(wavelength));
  }
  const names = layer.bands.map((band) => bandName(band).toLowerCase());
  const at = [
    (name: string) => name === wanted,
    (name: string) => name.startsWith(wanted),
    (name: string) => name.includes(wanted),
  ].map((matches) => names.findIndex(matches)).find((found) => found >= 0);
  return wanted === "" || at === undefined ? undefined : at + 1;
}

function bandOfWavelength(layer: LayerDocument, nanometers: number): number | undefined {
  const distance = (band: Band) => Math.abs((band.wavelength ?? Infinity) - nanometers);
  const [nearest] = layer.bands.toSorted((a, b) => distance(a) - distance(b));
  return nearest && distance(nearest) <= farthestNanometers ? nearest.index : undefined;
}
