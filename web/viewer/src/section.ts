// One section of the layer list: layers with a place on earth, or without. Its pages are loaded when they come into view.

import { layersAddress } from "./addresses";
import { ask } from "./ask";
import type { LayerList, LayerSummary } from "./documents";

const pageLayers = 100;

export class Section {
  total = 0;
  start: string | undefined; // the layer that the server proposes to show first

  #known: (LayerSummary | undefined)[] = []; // by position in the section
  #asking = new Map<number, Promise<void>>(); // by page

  constructor(
    private readonly isPlaced: boolean,
    private readonly search: string,
    private readonly signal?: AbortSignal,
  ) {}

  at(index: number): LayerSummary | undefined {
    return this.#known[index];
  }

  /** load loads the layers from one position up to another, excluded. Loaded pages are not requested again. */
  async load(from: number, end: number): Promise<void> {
    const pages: Promise<void>[] = [];
    const last = this.total > 0 ? Math.min(end, this.total) : end;
    for (let page = Math.floor(from / pageLayers); page * pageLayers < last; page++) {
      let asking = this.#asking.get(page);
      if (!asking) {
        asking = this.#ask(page);
        this.#asking.set(page, asking);
        asking.catch(() => this.#asking.delete(page));
      }
      pages.push(asking);
    }
    await Promise.all(pages);
  }

  /** indexOf returns the position of a layer in the section. */
  async indexOf(id: string): Promise<number> {
    const known = this.#known.findIndex((layer) => layer?.id === id);
    if (known >= 0) {
      return known;
    }
    const { offset } = await this.#get([["limit", "1"], ["after", id]]);
    return offset - 1;
  }

  /** text returns all loaded layers as text, to detect changes. */
  get text(): string {
    return JSON.stringify([this.total, this.start, this.#known]);
  }

  /** again returns the section loaded anew, with the same pages. */
  async again(): Promise<Section> {
    const next = new Section(this.isPlaced, this.search);
    await Promise.all([...this.#asking.keys()].map((page) => next.load(page * pageLayers, (page + 1) * pageLayers)));
    return next;
  }

  async #ask(page: number): Promise<void> {
    const first = page * pageLayers;
    const { layers, total, start } = await this.#get([["limit", String(pageLayers)], ["offset", String(first)]]);
    this.total = total;
    this.start = start;
    layers.forEach((layer, index) => { this.#known[first + index] = layer; });
  }

  #get(window: [string, string][]): Promise<LayerList> {
    const query = new URLSearchParams([["placed", String(this.isPlaced)], ...window]);
    if (this.search) {
      query.set("q", this.search);
    }
    return ask<LayerList>(`${layersAddress}?${query}`, this.signal);
  }
}
