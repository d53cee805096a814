// The histograms of all visible bands, overlaid, with their limits as handles and as numbers. A click on the name
// of a band shows it alone.

import { element } from "./dom";
import { axisOf, moved, rounded, type Histogram } from "./histogram";
import { drawBars, type BarColor } from "./histogramcanvas";
import { LimitHandle } from "./limithandle";
import { shortNumber, type Range } from "./style";

const ends = ["low", "high"] as const;
const endNames = ["Black at", "White at"] as const;

/** A band as the histogram shows it. */
export interface Series {
  readonly label: string;
  readonly color: BarColor;
  readonly histogram: Histogram | undefined;
  readonly limits: Range;
  readonly isWhole: boolean; // samples are whole numbers
}

/** Moves receives the limits of all bands, repeatedly while the user moves one. */
export type Moves = (limits: readonly Range[], isDone: boolean) => void;

/** The elements and limits of one band. */
interface Row {
  readonly element: HTMLElement;
  readonly name: HTMLElement;
  readonly inputs: readonly [HTMLInputElement, HTMLInputElement];
  readonly handles: readonly [LimitHandle, LimitHandle];
}

export class HistogramView {
  readonly element: HTMLElement;

  /** isLinked makes all bands take the limits of the one that is moved. */
  isLinked = false;

  #canvas = element("canvas", { "aria-hidden": "true" });
  #field = element("div", { class: "histogram-field" }, this.#canvas);
  #table = element("div", { class: "limits" });
  #rows: Row[] = [];
  #series: readonly Series[] = [];
  #axis: Range = [0, 1];
  #alone: number | undefined; // the only band that is shown
  #moving: 0 | 1 | undefined; // the end that is being moved

  constructor(private readonly onMove: Moves) {
    this.element = element("div", { class: "histogram", id: "histogram", role: "group", "aria-label": "Histogram" }, this.#field, this.#table);
    new ResizeObserver(() => this.#draw()).observe(this.#field);
  }

  /** show draws bands and their limits. While the user drags a limit, nothing changes. */
  show(series: readonly Series[]): void {
    if (this.#rows.some(({ handles }) => handles.some(({ isHeld }) => isHeld))) {
      return;
    }
    const names = (of: readonly Series[]) => of.map(({ label, color, isWhole }) => `${label} ${color} ${isWhole}`).join();
    const isNew = names(series) !== names(this.#series);
    this.#series = series;
    if (isNew) {
      this.#build();
    }
    this.#settle();
  }

  #build(): void {
    this.#alone = undefined;
    this.#rows = this.#series.map((_, place) => this.#rowOf(place));
    this.#field.replaceChildren(this.#canvas, ...this.#rows.flatMap(({ handles }) => handles.map((handle) => handle.element)));
    this.#table.replaceChildren(...this.#rows.map((row) => row.element));
  }

  #rowOf(place: number): Row {
    const { label, color } = this.#series[place] as Series;
    const isOnly = this.#series.length === 1;
    const name = element(isOnly ? "span" : "button", {
      class: `limits-name ${color}`, id: `histogram-${place + 1}-alone`, title: isOnly ? label : `Show ${label} alone`,
      ...(!isOnly && { type: "button", "aria-pressed": "false", onclick: () => this.#showAlone(place) }),
    }, element("span", { class: "limits-label" }, label));
    const inputs = [this.#input(place, 0), this.#input(place, 1)] as const;
    const handles = [this.#handle(place, 0), this.#handle(place, 1)] as const;
    return { element: element("div", { class: "limits-row" }, name, inputs[0], element("span", { "aria-hidden": "true" }, "–"), inputs[1]), name, inputs, handles };
  }

  #handle(place: number, which: 0 | 1): LimitHandle {
    const { label, color, isWhole } = this.#series[place] as Series;
    return new LimitHandle({
      id: `histogram-${place + 1}-${ends[which]}`, label: `${endNames[which]}, ${label}`, end: ends[which], color, isWhole,
      onMove: (sample) => this.#move(place, which, sample), onDone: () => this.#finish(),
    });
  }

  #input(place: number, which: 0 | 1): HTMLInputElement {
    const input = element("input", { type: "number", step: "any", "aria-label": `${endNames[which]}, ${this.#series[place]?.label}` });
    input.addEventListener("change", () => {
      if (Number.isFinite(input.valueAsNumber)) {
        this.#move(place, which, input.valueAsNumber);
        this.#finish();
      }
      this.#settle();
    });
    return input;
  }

  #showAlone(place: number): void {
    this.#alone = this.#alone === place ? undefined : place;
    this.#settle();
  }

  // If both limits are equal, the one that can move in that direction moves.
  #move(place: number, which: 0 | 1, sample: number): void {
    const before = this.#series[place]?.limits ?? this.#axis;
    this.#moving = before[0] === before[1] ? (sample < before[0] ? 0 : 1) : this.#moving ?? which;
    const limits = moved(before, this.#moving, sample);
    this.#series = this.#series.map((series, at) => (this.isLinked || at === place ? { ...series, limits } : series));
    this.#placeLimits();
    this.onMove(this.#series.map((series) => series.limits), false);
  }

  #finish(): void {
    this.#moving = undefined;
    this.onMove(this.#series.map((series) => series.limits), true);
  }

  // #settle fits the axis to all histograms and limits.
  #settle(): void {
    const axes = this.#shown().map(({ histogram, limits }) => axisOf(histogram ?? { counts: [], edges: [...limits] }, limits));
    this.#axis = [Math.min(...axes.map(([low]) => low)), Math.max(...axes.map(([, high]) => high))];
    this.#rows.forEach(({ element: row, name, handles }, place) => {
      const isShown = this.#alone === undefined || this.#alone === place;
      if (name instanceof HTMLButtonElement) {
        name.setAttribute("aria-pressed", String(this.#alone === place));
      }
      row.classList.toggle("aside", !isShown);
      handles.forEach((handle) => { handle.element.hidden = !isShown; });
    });
    this.#placeLimits();
  }

  #placeLimits(): void {
    const span = this.#axis[1] - this.#axis[0];
    this.#rows.forEach(({ inputs, handles }, place) => {
      const limits = this.#series[place]?.limits ?? this.#axis;
      for (const which of [0, 1] as const) {
        handles[which].show(this.#axis, limits[which]);
        inputs[which].value = shortNumber(rounded(limits[which], span, this.#series[place]?.isWhole ?? false));
      }
    });
    this.#draw();
  }

  #shown(): readonly Series[] {
    return this.#series.filter((_, place) => this.#alone === undefined || this.#alone === place);
  }

  #draw(): void {
    drawBars(this.#canvas, this.#axis, this.#shown());
  }
}
