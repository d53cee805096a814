// The position of the pointer and the values there, on one line below the map.

import type { Coordinate } from "ol/coordinate";
import { wasAborted } from "./ask";
import { byID, element, later } from "./dom";
import type { SideView } from "./session";
import type { Space } from "./space";
import { readingAt, shownFirst, valueText, type Reading } from "./values";

const idleMilliseconds = 90;
const maxValues = 6;

export class Readout {
  #asking = new AbortController();
  #askLater = later(idleMilliseconds, (ask: () => void) => ask());

  /** show shows a place, and loads its values once the pointer rests. */
  show(side: SideView, space: Space, at: Coordinate): void {
    this.#asking.abort();
    byID("position").textContent = space.describe(at);
    byID("values").classList.add("old");
    this.#askLater(() => void this.#ask(side, space, at));
  }

  clear(text: string): void {
    this.#asking.abort();
    this.#askLater.cancel();
    byID("position").textContent = text;
    byID("values").replaceChildren();
  }

  async #ask(side: SideView, space: Space, at: Coordinate): Promise<void> {
    this.#asking.abort();
    const { signal } = this.#asking = new AbortController();
    try {
      const reading = await readingAt(side, space, at, signal);
      byID("position").textContent = [space.describe(at), reading.pixel].filter(Boolean).join(" · ");
      this.#show(partsOf(reading));
    } catch (error) {
      if (!wasAborted(error)) {
        this.#show([quiet((error as Error).message)]);
      }
    }
  }

  #show(parts: HTMLElement[]): void {
    byID("values").classList.remove("old");
    byID("values").replaceChildren(...parts);
  }
}

function partsOf({ values, note }: Reading): HTMLElement[] {
  const shown = shownFirst(values).slice(0, maxValues).map(valueText);
  const more = values.length - shown.length;
  return [...shown, ...(more > 0 ? [quiet(`and ${more} more`)] : []), ...(note ? [quiet(note)] : [])];
}

function quiet(text: string): HTMLElement {
  return element("span", { class: "quiet" }, text);
}
