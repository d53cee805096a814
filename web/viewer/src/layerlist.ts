// The list of layers with their previews.

import { previewAddress } from "./addresses";
import { byID, element } from "./dom";
import type { LayerSummary } from "./documents";

const previewPixels = 320;
const filterFrom = 7; // layers

export class LayerList {
  /** onChoose is told which layer a person wants to see. */
  onChoose: (id: string) => void = () => {};

  #layers: readonly LayerSummary[] = [];
  #list = byID("layer-list");
  #filter = byID<HTMLInputElement>("filter");

  constructor() {
    this.#filter.addEventListener("input", () => this.#sift());
    this.#list.addEventListener("keydown", (event) => this.#walk(event));
  }

  show(layers: readonly LayerSummary[]): void {
    this.#layers = layers;
    this.#filter.hidden = layers.length < filterFrom;
    this.#list.replaceChildren(...layers.map((layer) => this.#card(layer)));
    this.#sift();
  }

  /** mark tells which layers are on the map. */
  mark(shown: readonly string[], active: string): void {
    for (const card of this.#cards()) {
      const id = card.dataset["layer"] ?? "";
      card.setAttribute("aria-current", String(id === active));
      card.classList.toggle("shown", shown.includes(id));
    }
  }

  focusFilter(): void {
    (this.#filter.hidden ? this.#cards()[0] : this.#filter)?.focus();
  }

  /** neighbour is the layer so many places after another one in the list, around its end. */
  neighbour(id: string, step: number): string | undefined {
    const at = this.#layers.findIndex((layer) => layer.id === id);
    return this.#layers.at((at + step) % this.#layers.length)?.id;
  }

  #card(layer: LayerSummary): HTMLElement {
    const image = element("img", { alt: "", loading: "lazy", decoding: "async", src: previewAddress(layer.id, previewPixels) });
    const frame = element("span", { class: "preview" }, image);
    image.addEventListener("load", () => frame.classList.add("loaded"));
    image.addEventListener("error", () => frame.classList.add("failed"));
    const button = element("button", { type: "button", class: "card", "data-layer": layer.id, id: `layer-${layer.id}`, title: layer.title },
      frame,
      element("span", { class: "card-title" }, layer.title),
      element("span", { class: "card-facts" }, layer.bounds ? "on the map" : "pixels only"));
    button.addEventListener("click", () => this.onChoose(layer.id));
    return element("li", {}, button);
  }

  #cards(): HTMLButtonElement[] {
    return [...this.#list.querySelectorAll<HTMLButtonElement>("li:not([hidden]) .card")];
  }

  #sift(): void {
    const wanted = this.#filter.value.trim().toLowerCase();
    let count = 0;
    this.#layers.forEach((layer, index) => {
      const matches = `${layer.id} ${layer.title}`.toLowerCase().includes(wanted);
      (this.#list.children[index] as HTMLElement).hidden = !matches;
      count += Number(matches);
    });
    byID("no-match").hidden = count > 0;
  }

  // Arrow keys go from card to card, as they lie on the screen.
  #walk(event: KeyboardEvent): void {
    const cards = this.#cards();
    const at = cards.indexOf(event.target as HTMLButtonElement);
    const columns = Math.max(1, cards.filter((card) => card.offsetTop === cards[0]?.offsetTop).length);
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
    const next = step === undefined || at < 0 ? undefined : cards[at + step];
    if (next) {
      event.preventDefault();
      next.focus();
    }
  }
}
