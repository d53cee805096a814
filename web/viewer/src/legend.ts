// What the colors of a picture mean, in a corner of the map.

import { legendAddress } from "./addresses";
import { ask } from "./ask";
import { byID, element } from "./dom";
import type { LegendDocument, LegendEntry, Numeric } from "./documents";
import { shortNumber, type Pair } from "./style";

const mostEntries = 64;
const rampStops = 24;
const mostTicks = 4; // between stops

export class Legend {
  #asking = new AbortController();

  /** show explains a layer in a style under a heading, or nothing if there is nothing to explain. */
  async show(layer: string | undefined, style: readonly Pair[], heading: string): Promise<LegendDocument | undefined> {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    let legend: LegendDocument | undefined;
    try {
      legend = layer === undefined ? undefined : await ask<LegendDocument>(legendAddress(layer, style), signal);
    } catch {
      // There is none, or the map itself tells what is wrong.
    }
    if (signal.aborted) {
      return undefined;
    }
    const parts = legend ? partsOf(legend, heading) : [];
    byID("legend").replaceChildren(...parts);
    byID("legend").hidden = parts.length === 0;
    return legend;
  }
}

function partsOf(legend: LegendDocument, heading: string): HTMLElement[] {
  if (legend.entries.length === 0) {
    return [];
  }
  const title = element("h2", {}, [heading || legend.title, legend.unit].filter(Boolean).join(", "));
  const isUnnamed = legend.entries.every(({ label, value }) => !label && value !== undefined);
  return [title, legend.kind === "ramp" ? ramp(legend) : legend.kind === "stops" && isUnnamed ? stops(legend) : classes(legend)];
}

function ramp({ entries, min, max }: LegendDocument): HTMLElement {
  const step = Math.max(1, Math.floor((entries.length - 1) / rampStops));
  const colors = entries.filter((_, index) => index % step === 0 || index === entries.length - 1).map((entry) => entry.color);
  const bar = element("div", { class: "ramp" });
  bar.style.backgroundImage = gradientOf(colors);
  const [low, high] = [numberOf(min ?? entries[0]?.value), numberOf(max ?? entries.at(-1)?.value)];
  if (low === undefined || high === undefined) {
    return bar;
  }
  const ticks = [low, (low + high) / 2, high].map((value) => element("span", {}, tickText(value, high - low)));
  return element("div", {}, bar, element("div", { class: "ticks" }, ...ticks));
}

// Colors that run from one sample to the next, each at the same distance from the next, for samples may lie far apart.
function stops({ entries }: LegendDocument): HTMLElement {
  const bar = element("div", { class: "ramp" });
  bar.style.backgroundImage = gradientOf(entries.map((entry) => entry.color));
  const last = Math.max(entries.length - 1, 1);
  const step = Math.ceil(last / mostTicks);
  const ticks = entries.flatMap(({ value = 0 }, index) => {
    if (index !== last && (index % step !== 0 || index + step / 2 > last)) {
      return [];
    }
    const tick = element("span", {}, shortNumber(value));
    tick.style.left = `${(index / last) * 100}%`;
    return [tick];
  });
  return element("div", {}, bar, element("div", { class: "ticks placed" }, ...ticks));
}

function classes({ entries }: LegendDocument): HTMLElement {
  const rows = entries.slice(0, mostEntries).map((entry) => {
    const swatch = element("span", { class: "swatch" });
    swatch.style.backgroundColor = entry.color;
    return element("li", {}, swatch, labelOf(entry));
  });
  const more = entries.length - rows.length;
  return element("ul", { class: "classes" }, ...rows, more > 0 && element("li", { class: "quiet" }, `and ${more} more`));
}

function labelOf({ label, value, low, high }: LegendEntry): string {
  if (label) {
    return label;
  }
  if (value !== undefined) {
    return shortNumber(value);
  }
  return [low, high].map((limit) => (limit === undefined ? "" : shortNumber(limit))).join(" – ");
}

/** gradientOf goes from the first color to the last. */
export function gradientOf(colors: readonly string[]): string {
  return `linear-gradient(90deg, ${(colors.length > 1 ? colors : [...colors, ...colors]).join(", ")})`;
}

function numberOf(value: Numeric | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** tickText has the digits that tell the ends of a span apart. */
function tickText(value: number, span: number): string {
  const digits = Math.min(Math.max(2 - Math.floor(Math.log10(Math.abs(span) || 1)), 0), 10);
  return Number(value.toFixed(digits)).toLocaleString("en", { maximumFractionDigits: digits });
}
