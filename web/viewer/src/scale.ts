// The scale bar of the map, with a round length.

import { byID } from "./dom";

const longestPixels = 120;

export interface ScaleBar {
  readonly pixels: number;
  readonly text: string;
}

/** scaleBar returns a bar whose length is a round number of units. */
export function scaleBar(unitsPerPixel: number, unit: "m" | "px"): ScaleBar {
  const longest = unitsPerPixel * longestPixels;
  const power = 10 ** Math.floor(Math.log10(longest));
  const digit = [5, 2, 1].find((candidate) => candidate * power <= longest * (1 + 1e-9)) ?? 1;
  const length = digit * power;
  return { pixels: length / unitsPerPixel, text: lengthText(length, unit) };
}

/** showScale draws the bar in a corner of the map. */
export function showScale(unitsPerPixel: number, unit: "m" | "px"): void {
  const { pixels, text } = scaleBar(unitsPerPixel, unit);
  const bar = byID("scale");
  bar.style.width = `${pixels}px`;
  bar.textContent = text;
}

function lengthText(length: number, unit: "m" | "px"): string {
  const [value, name] = unit === "m" && length >= 1000 ? [length / 1000, "km"]
    : unit === "m" && length < 0.01 ? [length * 1000, "mm"]
    : unit === "m" && length < 1 ? [length * 100, "cm"]
    : [length, unit];
  return `${Number(value.toPrecision(1)).toLocaleString("en")} ${name}`;
}
