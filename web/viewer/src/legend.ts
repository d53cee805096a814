// The legend in a corner of the map: what the colors of the picture mean.

import { legendAddress } from "./addresses";
import { ask } from "./ask";
import { byID, element } from "./dom";
import type { LegendDocument, LegendEntry, Numeric } from "./documents";
import { shortNumber, type Pair } from "./style";

const maxEntries = 64;
const rampStops = 24;
const maxTicks = 4; // between stops
const narrow = matchMedia("(max-width: 760px)"); // as in narrow.css

export class Legend {
  #asking = new AbortController();

  /** The legend is folded where it would cover much of the map, until the user opens it. */
  constructor() {
    const fold = () => byID("legend").toggleAttribute("open", !narrow.matches);
    narrow.addEventListener("change", fold);
    fold();
  }

  /** show shows the legend of a layer in a style under a heading, or hides it. */
  async show(layer: string | undefined, style: readonly Pair[], heading: string): Promise<LegendDocument | undefined> {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    let legend: LegendDocument | undefined;
    try {
      legend = layer === undefined ? undefined : await ask<LegendDocument>(legendAddress(layer, style), signal);
    } catch {
      // The picture has no legend, or the map already shows the error.
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
  const title = [heading || legend.title, legend.unit].filter(Boolean).join(", ");
  const glance = element("span", { class: "ramp glance" });
  glance.style.backgroundImage = gradientOf(someColors(legend));
  const isUnnamed = legend.entries.every(({ label, value }) => !label && value !== undefined);
  return [
    element("summary", { title: "Show or hide the legend" }, glance, element("h2", {}, title)),
    legend.kind === "ramp" ? ramp(legend) : legend.kind === "stops" && isUnnamed ? stops(legend) : classes(legend),
  ];
}

// someColors returns as many colors as a small bar can show, including the first and the last.
function someColors({ entries }: LegendDocument): string[] {
  const step = Math.max(1, Math.floor((entries.length - 1) / rampStops));
  return entries.filter((_, index) => index % step === 0 || index === entries.length - 1).map((entry) => entry.color);
}

function ramp(legend: LegendDocument): HTMLElement {
  const { entries, min, max } = legend;
  const bar = element("div", { class: "ramp" });
  bar.style.backgroundImage = gradientOf(someColors(legend));
  const [low, high] = [numberOf(min ?? entries[0]?.value), numberOf(max ?? entries.at(-1)?.value)];
  if (low === undefined || high === undefined) {
    return bar;
  }
  const ticks = [low, (low + high) / 2, high].map((value) => element("span", {}, tickText(value, high - low)));
  return element("div", {}, bar, element("div", { class: "ticks" }, ...ticks));
}

// A color ramp from sample to sample. The steps are equal, because samples may lie far apart.
function stops({ entries }: LegendDocument): HTMLElement {
  const bar = element("div", { class: "ramp" });
  bar.style.backgroundImage = gradientOf(entries.map((entry) => entry.color));
  const last = Math.max(entries.length - 1, 1);
  const step = Math.ceil(last / maxTicks);
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
  const rows = entries.slice(0, maxEntries).map((entry) => {
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

/** gradientOf returns a gradient from the first color to the last. */
export function gradientOf(colors: readonly string[]): string {
  return `linear-gradient(90deg, ${(colors.length > 1 ? colors : [...colors, ...colors]).join(", ")})`;
}

function numberOf(value: Numeric | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** tickText formats a number with the digits that distinguish the ends of a span. */
function tickText(value: number, span: number): string {
  const digits = Math.min(Math.max(2 - Math.floor(Math.log10(Math.abs(span) || 1)), 0), 10);
  return Number(value.toFixed(digits)).toLocaleString("en", { maximumFractionDigits: digits });
}
