// The bands of a layer by the names that users know.

import type { Band, LayerDocument } from "./documents";

const farthestNanometers = 25; // from the wavelength that the user wrote to that of the band
const primaries = ["red", "green", "blue"] as const;

/** bandLabel returns the number of a band, and its name if it has one. */
export function bandLabel(band: Band | undefined, number: number): string {
  return [String(number), bandName(band)].filter(Boolean).join(" · ");
}

/** bandName returns a band's name in the file, with its wavelength. It is empty if the file has neither. */
export function bandName(band: Band | undefined): string {
  const given = band?.name?.toLowerCase() === `band ${band?.index}` ? undefined : band?.name; // such a name adds nothing to the number
  const name = given ?? (band && band.color !== "undefined" ? band.color : "");
  const wavelength = band?.wavelength ? `${Math.round(band.wavelength)} nm` : "";
  return name.includes(wavelength) ? name : [name, wavelength].filter(Boolean).join(" ");
}

/** ownName returns a band's name in the file, or "" if that is only its color. */
export function ownName(band: Band | undefined): string {
  const name = bandName(band);
  return name === band?.color ? "" : name;
}

/** bandColor returns the color of a band's bars, by its position among the visible bands. */
export function bandColor(place: number, count: number): "red" | "green" | "blue" | "gray" {
  return count === 3 ? primaries[place] ?? "gray" : "gray";
}

/** colorBands returns the numbers, from 1, of the bands that are not opacity. */
export function colorBands(layer: LayerDocument): number[] {
  return layer.bands.filter((band) => band.role !== "opacity").map((band) => band.index);
}

/** bandNamed finds the band for a text: by number, label, wavelength or name, or the first whose name begins with it. */
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
