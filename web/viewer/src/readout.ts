// Where the pointer is, and the values there.

import type { Coordinate } from "ol/coordinate";
import { pointAddress } from "./addresses";
import { ask, Refusal, wasAborted } from "./ask";
import { byID, element, later } from "./dom";
import type { Band, Numeric, PointDocument } from "./documents";
import type { SideView } from "./session";
import type { Space } from "./space";
import { shortNumber } from "./style";

const restMilliseconds = 90;
const mostBands = 8;

export class Readout {
  #asking = new AbortController();
  #askLater = later(restMilliseconds, (ask: () => void) => ask());

  /** show tells of a place, and asks for the values there once the pointer rests. */
  show(side: SideView, space: Space, at: Coordinate): void {
    this.#asking.abort();
    byID("position").textContent = space.describe(at);
    byID("values").classList.add("old");
    this.#askLater(() => void this.#ask(side, space, at));
  }

  clear(text: string): void {
    this.#asking.abort();
    this.#askLater(() => {}); // in place of what was to be asked
    byID("position").textContent = text;
    byID("values").replaceChildren();
  }

  async #ask({ document, style }: SideView, space: Space, at: Coordinate): Promise<void> {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const address = pointAddress(document.id, space.outside(at), space.pointCRS, style.expression);
    try {
      const point = await ask<PointDocument>(address, signal);
      const pixel = space.name === "pixels" ? "" : ` · pixel ${point.column}, ${point.row}`;
      byID("position").textContent = space.describe(at) + pixel;
      this.#values(valuesOf(style.expression ? outputsOf(style.expression) : document.bands, point));
    } catch (error) {
      if (!wasAborted(error)) {
        this.#values(error instanceof Refusal && error.status === 404 ? [] : [element("span", { class: "quiet" }, String((error as Error).message))]);
      }
    }
  }

  #values(shown: HTMLElement[]): void {
    byID("values").classList.remove("old");
    byID("values").replaceChildren(...shown);
  }
}

// What an expression computes are bands without colours.
function outputsOf(expression: string): Band[] {
  return expression.split(";").map((name) => ({ name: name.trim(), color: "", nodata: null }));
}

function valuesOf(bands: readonly Band[], point: PointDocument): HTMLElement[] {
  if (point.values.every((value) => value === null)) {
    return [element("span", { class: "quiet" }, "no data")];
  }
  const shown = point.values.slice(0, mostBands).map((value, index) => {
    const band = bands[index];
    const sample = point.samples?.[index];
    return element("span", { class: `value ${band?.color ?? ""}`, title: sample !== undefined ? `sample ${numeric(sample)}` : undefined },
      element("span", { class: "value-name" }, band?.name ?? `band ${index + 1}`), " ",
      numeric(value), unitText(point.units?.[index]));
  });
  const more = point.values.length - shown.length;
  return more > 0 ? [...shown, element("span", { class: "quiet" }, `and ${more} more`)] : shown;
}

function numeric(value: Numeric | null): string {
  return value === null ? "–" : typeof value === "number" ? shortNumber(value) : value;
}

function unitText(unit: string | undefined): string {
  return unit ? ` ${unit}` : "";
}
