// A card with the values at the place that the user clicked or tapped.

import Overlay from "ol/Overlay";
import type { Coordinate } from "ol/coordinate";
import type OpenLayersMap from "ol/Map";
import { wasAborted } from "./ask";
import { element, icon } from "./dom";
import type { SideView } from "./session";
import type { Space } from "./space";
import { readingAt, shownFirst, type Reading } from "./values";

const farPixels = 12; // from the place to the card
const edgePixels = 8; // from the card to the edge of the map
const buttonPixels = 50; // where buttons lie on the right

export class Pin {
  #asking = new AbortController();
  #title = element("span", { class: "pin-place" });
  #values = element("div", { class: "pin-values" });
  #card = element("div", { id: "pin", class: "pin", role: "region", "aria-label": "Values at a place", "aria-live": "polite", hidden: true },
    element("div", { class: "pin-head" }, this.#title,
      element("button", { type: "button", id: "pin-close", class: "plain", "aria-label": "Close", onclick: () => this.remove() }, icon("M5.5 5.5l9 9M14.5 5.5l-9 9"))),
    this.#values);
  #mark = element("div", { class: "pin-mark", "aria-hidden": "true", hidden: true });
  #cardOverlay = new Overlay({ element: this.#card, positioning: "top-left", stopEvent: true });
  #markOverlay = new Overlay({ element: this.#mark, positioning: "center-center", stopEvent: false });
  #about: { layer: string; space: string; at: Coordinate } | undefined;

  constructor(private readonly map: OpenLayersMap) {
    map.addOverlay(this.#markOverlay);
    map.addOverlay(this.#cardOverlay);
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.remove());
  }

  /** show pins the values of a layer at a place. */
  show(side: SideView, space: Space, at: Coordinate): void {
    this.#about = { layer: side.document.id, space: space.name, at };
    this.#title.textContent = space.describe(at);
    this.#card.hidden = this.#mark.hidden = false;
    this.#markOverlay.setPosition(at);
    this.#cardOverlay.setPosition(at);
    this.#settle();
    void this.#ask(side, space, at);
  }

  /** refresh loads the values again, because another style may show other numbers. It removes a card of another layer or space. */
  refresh(side: SideView | undefined, space: Space): void {
    const about = this.#about;
    if (about && side && about.layer === side.document.id && about.space === space.name) {
      void this.#ask(side, space, about.at);
    } else {
      this.remove();
    }
  }

  /** place returns the place of the card, if one is open. */
  get place(): Coordinate | undefined {
    return this.#about?.at;
  }

  remove(): void {
    this.#asking.abort();
    this.#about = undefined;
    this.#card.hidden = this.#mark.hidden = true;
    this.#cardOverlay.setPosition(undefined);
    this.#markOverlay.setPosition(undefined);
  }

  // #settle puts the card on the side of the place with more room, within the map and not under its buttons.
  #settle(): void {
    const pixel = this.#about && this.map.getPixelFromCoordinate(this.#about.at);
    const size = this.map.getSize();
    if (pixel && size) {
      const card = [this.#card.offsetWidth, this.#card.offsetHeight];
      const room = [(size[0] ?? 0) - buttonPixels, size[1] ?? 0];
      this.#cardOverlay.setOffset(pixel.map((at, axis) => inwards(at, card[axis] ?? 0, room[axis] ?? 0) - at));
    }
  }

  async #ask(side: SideView, space: Space, at: Coordinate): Promise<void> {
    this.#asking.abort();
    const { signal } = this.#asking = new AbortController();
    this.#values.classList.add("old");
    try {
      const reading = await readingAt(side, space, at, signal);
      this.#title.replaceChildren(space.describe(at), ...(reading.pixel ? [element("br"), reading.pixel] : []));
      this.#fill(rowsOf(reading));
    } catch (error) {
      if (!wasAborted(error)) {
        this.#fill([element("p", { class: "quiet" }, (error as Error).message)]);
      }
    }
  }

  #fill(rows: HTMLElement[]): void {
    this.#values.classList.remove("old");
    this.#values.replaceChildren(...rows);
    this.#settle();
  }
}

// inwards returns the start of a card beside a place.
function inwards(at: number, length: number, room: number): number {
  const beside = at > room / 2 ? at - farPixels - length : at + farPixels;
  return Math.max(Math.min(beside, room - length - edgePixels), edgePixels);
}

function rowsOf({ values, note }: Reading): HTMLElement[] {
  const rows = shownFirst(values).map(({ name, color, text, title }) =>
    element("div", { class: `pin-row value ${color}`, title }, element("span", { class: "value-name" }, name), element("span", { class: "pin-number" }, text)));
  return note ? [element("p", { class: "quiet" }, note)] : rows;
}
