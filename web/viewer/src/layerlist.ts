// The list of layers: those on the map, and below them those with pixels only.

import { cardOf } from "./card";
import type { Catalog, Sections } from "./catalog";
import { byID, element, later } from "./dom";
import type { LayerSummary } from "./documents";
import { wasAborted } from "./ask";
import { VirtualList } from "./virtuallist";

const filterFrom = 7; // layers
const rowsAround = 15; // loaded beyond those in view
const searchMilliseconds = 80; // after the last letter

export class LayerList {
  /** onChoose receives the layer that the user chose. */
  onChoose: (id: string) => void = () => {};

  /** onFail receives the reason why the list cannot be loaded. */
  onFail: (problem: string) => void = () => {};

  #sections: Sections;
  #shown: readonly string[] = [];
  #active = "";
  #words = ""; // the search text
  #focus = 0; // the row that Tab reaches
  #searching = new AbortController();
  #filter = byID<HTMLInputElement>("filter");
  #rows = new VirtualList(byID("layer-list"), byID("pages"));

  constructor(private readonly catalog: Catalog) {
    this.#sections = catalog.sections;
    this.#rows.draw = (index) => this.#row(index);
    this.#rows.onView = (first, end) => void this.#load(first, end);
    this.#filter.addEventListener("input", later(searchMilliseconds, () => void this.#search()));
    this.#filter.addEventListener("keydown", (event) => event.key === "ArrowDown" && this.#focusRow(event, this.#layerRow(0, 1)));
    byID("layer-list").addEventListener("keydown", (event) => this.#handleKey(event));
  }

  /** show lists the layers of the catalog. */
  show(): void {
    this.#filter.hidden = this.catalog.total < filterFrom;
    void this.#search();
  }

  /** mark marks the layers on the map, and scrolls to the one that the panel edits. */
  mark(shown: readonly string[], active: LayerSummary): void {
    const isNew = active.id !== this.#active;
    [this.#shown, this.#active] = [shown, active.id];
    this.#markRows();
    if (isNew) {
      void this.#reveal(active);
    }
  }

  focusFilter(): void {
    if (this.#filter.hidden) {
      this.#rows.reveal(this.#focus)?.querySelector<HTMLElement>(".card")?.focus();
    } else {
      this.#filter.focus();
    }
  }

  /** neighbor returns the layer a number of rows after another one, wrapping around. */
  async neighbor(layer: LayerSummary, step: number): Promise<string | undefined> {
    const [{ total: placed }, { total: unplaced }] = this.#sections;
    const at = await this.#indexOf(layer).catch(() => -1);
    const index = (at + step + placed + unplaced) % (placed + unplaced);
    const [section, within] = index < placed ? [this.#sections[0], index] : [this.#sections[1], index - placed];
    await section.load(within, within + 1).catch(() => undefined);
    return section.at(within)?.id;
  }

  async #search(): Promise<void> {
    this.#searching.abort();
    this.#searching = new AbortController();
    const { signal } = this.#searching;
    const words = this.#filter.value.trim();
    try {
      this.#sections = words === "" ? this.catalog.sections : await this.catalog.search(words, signal);
    } catch (error) {
      if (!wasAborted(error)) {
        this.onFail((error as Error).message);
      }
      return;
    }
    byID("no-match").hidden = this.#total > 0;
    const areSame = words === this.#words;
    this.#words = words;
    this.#focus = areSame ? this.#focus : this.#layerRow(0, 1);
    this.#rows.show(this.#total + Number(this.#hasHeading), areSame);
    if (!areSame && words === "" && this.#active) {
      void this.catalog.layer(this.#active).then((layer) => this.#reveal(layer), () => undefined);
    }
  }

  get #total(): number {
    return this.#sections[0].total + this.#sections[1].total;
  }

  // A heading separates the sections if both have layers.
  get #hasHeading(): boolean {
    return this.#sections[0].total > 0 && this.#sections[1].total > 0;
  }

  // layerAt returns what a row shows: a layer, a layer that is not loaded yet, or the heading.
  #layerAt(row: number): LayerSummary | undefined | "heading" {
    const [placed, unplaced] = this.#sections;
    if (row < placed.total) {
      return placed.at(row);
    }
    const after = row - placed.total - Number(this.#hasHeading);
    return after < 0 ? "heading" : unplaced.at(after);
  }

  #row(index: number): HTMLElement {
    const layer = this.#layerAt(index);
    if (layer === "heading") {
      return element("li", { class: "cards-heading", role: "presentation" }, `Pixels only (${this.#sections[1].total.toLocaleString("en")}), not on the map`);
    }
    const isAfter = this.#hasHeading && index > this.#sections[0].total;
    const row = element("li", { "aria-setsize": this.#total, "aria-posinset": index + (isAfter ? 0 : 1) },
      layer ? cardOf(layer, () => this.#choose(index, layer.id)) : element("div", { class: "card unknown" }));
    this.#markRow(row, index);
    return row;
  }

  #choose(row: number, id: string): void {
    this.#focus = row;
    this.onChoose(id);
  }

  #markRows(): void {
    this.#rows.rows.forEach((row, index) => this.#markRow(row, index));
  }

  #markRow(row: HTMLElement, index: number): void {
    const card = row.querySelector<HTMLElement>("[data-layer]");
    const id = card?.dataset["layer"] ?? "";
    card?.setAttribute("aria-current", String(id === this.#active));
    card?.classList.toggle("shown", this.#shown.includes(id));
    card?.setAttribute("tabindex", index === this.#focus ? "0" : "-1");
  }

  // load requests the layers of some rows that are not loaded yet, and shows them.
  async #load(first: number, end: number): Promise<void> {
    const sections = this.#sections;
    const [placed, unplaced] = sections;
    const before = placed.total + Number(this.#hasHeading);
    const rows = Array.from({ length: Math.max(end - first, 0) }, (_, at) => first + at);
    const unknown = rows.filter((row) => row >= 0 && row < before + unplaced.total && this.#layerAt(row) === undefined);
    try {
      await Promise.all(unknown.map((row) => row < placed.total ? placed.load(row, row + 1) : unplaced.load(row - before, row - before + 1)));
    } catch {
      return; // requested again when it comes into view again
    }
    if (sections === this.#sections) {
      this.#redrawKnown();
    }
  }

  // redrawKnown redraws the rows whose layers have been loaded since they were drawn.
  #redrawKnown(): void {
    const known = [...this.#rows.rows].filter(([index, row]) => row.querySelector(".unknown") && this.#layerAt(index) !== undefined);
    if (known.length > 0) {
      this.#rows.redraw(known.map(([index]) => index));
    }
  }

  async #indexOf(layer: LayerSummary): Promise<number> {
    const [placed, unplaced] = this.#sections;
    return layer.placed ? placed.indexOf(layer.id) : placed.total + await unplaced.indexOf(layer.id);
  }

  async #reveal(layer: LayerSummary): Promise<void> {
    const sections = this.#sections;
    const index = await this.#indexOf(layer).catch(() => -1);
    const row = layer.placed ? index : index + Number(this.#hasHeading);
    await this.#load(row - rowsAround, row + rowsAround); // for their heights
    if (index >= 0 && sections === this.#sections && this.#filter.value.trim() === "") {
      this.#focus = row;
      this.#rows.reveal(row);
      this.#markRows();
    }
  }

  // layerRow returns the nearest row with a layer in a direction, and skips the heading.
  #layerRow(row: number, direction: number): number {
    const rows = this.#total + Number(this.#hasHeading);
    const wanted = Math.min(Math.max(row, 0), rows - 1);
    return this.#layerAt(wanted) === "heading" ? wanted + direction : wanted;
  }

  // Arrow keys, Page Up and Down, Home and End move from card to card.
  #handleKey(event: KeyboardEvent): void {
    const page = Math.max(Math.floor(this.#rows.rows.size / 2), 1);
    const end = this.#total + Number(this.#hasHeading);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -end, End: end }[event.key];
    if (step !== undefined) {
      this.#focusRow(event, this.#layerRow(this.#focus + step, Math.sign(step)));
    }
  }

  #focusRow(event: Event, row: number): void {
    event.preventDefault();
    this.#focus = row;
    void this.#load(row, row + 1).then(() => {
      const element = this.#rows.reveal(row);
      this.#markRows();
      element?.querySelector<HTMLElement>("[data-layer]")?.focus({ preventScroll: true });
    });
  }
}
