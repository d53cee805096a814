// A part of the server's layers, placed or not, of which pages are loaded where they are looked at.

import { layersAddress } from "./addresses";
import { ask } from "./ask";
import type { LayerList, LayerSummary } from "./documents";

const pageLayers = 100;

export class Section {
  total = 0;
  start: string | undefined; // the layer that the server would begin with

  #known: (LayerSummary | undefined)[] = []; // by their place in the section
  #asking = new Map<number, Promise<void>>(); // by page

  constructor(
    private readonly isPlaced: boolean,
    private readonly search: string,
    private readonly signal?: AbortSignal,
  ) {}

  at(index: number): LayerSummary | undefined {
    return this.#known[index];
  }

  /** load has the layers from one place to before another one. What is known is not asked for again. */
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

  /** indexOf is the place of a layer that is in the section. */
  async indexOf(id: string): Promise<number> {
    const known = this.#known.findIndex((layer) => layer?.id === id);
    if (known >= 0) {
      return known;
    }
    const { offset } = await this.#get([["limit", "1"], ["after", id]]);
    return offset - 1;
  }

  /** text is all that is known, to see whether it changes. */
  get text(): string {
    return JSON.stringify([this.total, this.start, this.#known]);
  }

  /** again is the section as the server has it now, with the pages that this one has. */
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
