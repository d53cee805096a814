// The values of a layer at a place.

import type { Coordinate } from "ol/coordinate";
import { allowsParameter, allowsValues } from "./allow";
import { pointAddress } from "./addresses";
import { ask, Refusal } from "./ask";
import { ownName } from "./bands";
import type { Numeric, PointDocument } from "./documents";
import { element } from "./dom";
import { pictureOf } from "./picture";
import type { SideView } from "./session";
import type { Space } from "./space";
import { shortNumber } from "./style";

export interface Value {
  readonly name: string;
  readonly color: string; // red, green, blue, or empty
  readonly text: string;
  readonly title?: string; // the stored sample, if the value differs from it
}

export interface Reading {
  readonly pixel: string; // where in the image
  readonly values: readonly Value[]; // empty for nodata
  readonly note?: string; // in place of values
}

/** readingAt loads the values of a layer at a place. */
export async function readingAt(side: SideView, space: Space, at: Coordinate, signal: AbortSignal): Promise<Reading> {
  const { document, style } = side;
  if (!allowsValues(document)) {
    return { pixel: "", values: [], note: "" };
  }
  const shown = pictureOf(document, style).expression;
  const expression = allowsParameter(document, "expression") ? shown : undefined;
  try {
    const point = await ask<PointDocument>(pointAddress(document.id, space.outside(at), space.pointCRS, expression), signal);
    const pixel = space.name === "pixels" ? "" : `pixel ${point.column}, ${point.row}`;
    const values = point.values.some((value) => value !== null) ? valuesOf(side, point, expression) : [];
    return { pixel, values, ...(values.length === 0 && { note: "no data" }) };
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) {
      return { pixel: "", values: [], note: "outside of the layer" };
    }
    throw error;
  }
}

function valuesOf({ document, style }: SideView, point: PointDocument, expression: string | undefined): Value[] {
  const outputs = expression?.split(";").map((name) => name.trim());
  const shown = pictureOf(document, style).bands;
  return point.values.map((value, index) => {
    const [band, sample, unit] = [document.bands[index], point.samples?.[index], point.units?.[index]];
    const channel = !outputs && shown.length === 3 ? ["red", "green", "blue"][shown.indexOf(index + 1)] : undefined;
    return {
      name: outputs?.[index] ?? (ownName(band) || channel || `band ${index + 1}`), color: channel ?? "",
      text: numeric(value) + (unit ? ` ${unit}` : ""), ...(sample !== undefined && { title: `sample ${numeric(sample)}` }),
    };
  });
}

/** shownFirst sorts the values of the visible bands before the others. */
export function shownFirst(values: readonly Value[]): readonly Value[] {
  const places = ["red", "green", "blue", ""];
  return values.toSorted((a, b) => places.indexOf(a.color) - places.indexOf(b.color));
}

/** valueText returns a value with its name. */
export function valueText({ name, color, text, title }: Value): HTMLElement {
  return element("span", { class: `value ${color}`, title }, element("span", { class: "value-name" }, name), " ", text);
}

function numeric(value: Numeric | null): string {
  return value === null ? "–" : typeof value === "number" ? shortNumber(value) : value;
}
