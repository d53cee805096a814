// A histogram whose limits can be dragged, moved with keys, or typed.

import { element } from "./dom";
import { axisOf, barHeights, moved, rounded, sampleAt, within, type Histogram } from "./histogram";
import { shortNumber, type Range } from "./style";

const heightPixels = 64;
const keySteps: Record<string, number> = {
  ArrowLeft: -0.005, ArrowRight: 0.005, ArrowDown: -0.005, ArrowUp: 0.005, PageDown: -0.05, PageUp: 0.05, Home: -2, End: 2,
};
const barColors = { red: "#d65a4f", green: "#3e9c62", blue: "#3f83cf", gray: "#7f8d97" };
const limitNames = ["Black at", "White at"] as const;

export interface HistogramOptions {
  readonly id: string;
  readonly label: string;
  readonly color: keyof typeof barColors;
  readonly isWhole: boolean; // samples are whole numbers
  readonly onMove: (limits: Range, isDone: boolean) => void;
}

export class HistogramView {
  readonly element: HTMLElement;

  #canvas = element("canvas", { "aria-hidden": "true" });
  #handles: [HTMLElement, HTMLElement];
  #inputs: [HTMLInputElement, HTMLInputElement];
  #histogram: Histogram | undefined;
  #limits: Range = [0, 1];
  #axis: Range = [0, 1];
  #held = false;

  constructor(private readonly options: HistogramOptions) {
    this.#handles = [this.#handle(0), this.#handle(1)];
    this.#inputs = [this.#input(0), this.#input(1)];
    const field = element("div", { class: "histogram-field" }, this.#canvas, ...this.#handles);
    this.element = element("div", { class: "histogram", id: options.id, role: "group", "aria-label": `Histogram: ${options.label}` },
      element("div", { class: "histogram-head" }, element("span", {}, options.label)), field,
      element("div", { class: "histogram-limits" }, ...this.#inputs));
    new ResizeObserver(() => this.#draw()).observe(field);
  }

  /** show draws bars and puts the limits on them; while a person holds one, it stays in the hand. */
  show(histogram: Histogram | undefined, limits: Range): void {
    if (this.#held) {
      return;
    }
    this.#histogram = histogram;
    this.#limits = limits;
    this.#axis = axisOf(histogram ?? { counts: [], edges: [...limits] }, limits);
    this.#place();
  }

  #handle(which: 0 | 1): HTMLElement {
    const handle = element("div", {
      class: `limit ${which === 0 ? "low" : "high"}`, role: "slider", tabindex: "0", id: `${this.options.id}-${which === 0 ? "low" : "high"}`,
      "aria-label": `${limitNames[which]}, ${this.options.label}`, "aria-orientation": "horizontal",
    });
    handle.addEventListener("pointerdown", (event) => this.#hold(event, which, handle));
    handle.addEventListener("keydown", (event) => {
      const step = keySteps[event.key];
      if (step !== undefined) {
        event.preventDefault();
        const part = within(this.#axis, this.#limits[which]) + step;
        this.#move(which, this.#step(which, part, Math.sign(step)), true);
      }
    });
    return handle;
  }

  // step goes at least to the next whole sample.
  #step(which: 0 | 1, part: number, direction: number): number {
    const next = sampleAt(this.#axis, part, this.options.isWhole);
    return next === this.#limits[which] && part > 0 && part < 1 ? next + direction : next;
  }

  #input(which: 0 | 1): HTMLInputElement {
    const input = element("input", { type: "number", step: "any", "aria-label": `${limitNames[which]}, ${this.options.label}` });
    input.addEventListener("change", () => {
      if (Number.isFinite(input.valueAsNumber)) {
        this.#move(which, input.valueAsNumber, true);
        this.#axis = axisOf(this.#histogram ?? { counts: [], edges: [...this.#limits] }, this.#limits);
      }
      this.#place();
    });
    return input;
  }

  #hold(down: PointerEvent, which: 0 | 1, handle: HTMLElement): void {
    down.preventDefault();
    handle.focus({ preventScroll: true });
    handle.setPointerCapture(down.pointerId);
    this.#held = true;
    let held: 0 | 1 = which;
    const move = (event: PointerEvent) => {
      const box = this.#canvas.getBoundingClientRect();
      const sample = sampleAt(this.#axis, (event.clientX - box.left) / box.width, this.options.isWhole);
      if (this.#limits[0] === this.#limits[1]) {
        held = sample < this.#limits[0] ? 0 : 1; // of two that lie on each other, the one that can go there
      }
      this.#move(held, sample, false);
    };
    const end = () => {
      this.#held = false;
      handle.removeEventListener("pointermove", move);
      this.options.onMove(this.#limits, true);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", end, { once: true });
  }

  #move(which: 0 | 1, sample: number, isDone: boolean): void {
    this.#limits = moved(this.#limits, which, sample);
    this.#place();
    this.options.onMove(this.#limits, isDone);
  }

  #place(): void {
    const span = this.#axis[1] - this.#axis[0];
    for (const which of [0, 1] as const) {
      const sample = rounded(this.#limits[which], span, this.options.isWhole);
      const handle = this.#handles[which];
      handle.style.left = `${within(this.#axis, sample) * 100}%`;
      handle.setAttribute("aria-valuemin", String(this.#axis[0]));
      handle.setAttribute("aria-valuemax", String(this.#axis[1]));
      handle.setAttribute("aria-valuenow", String(sample));
      this.#inputs[which].value = shortNumber(sample);
    }
    this.#draw();
  }

  #draw(): void {
    const ratio = window.devicePixelRatio || 1;
    const width = this.#canvas.clientWidth;
    const context = this.#canvas.getContext("2d");
    if (!context || width === 0) {
      return;
    }
    this.#canvas.width = width * ratio;
    this.#canvas.height = heightPixels * ratio;
    context.scale(ratio, ratio);
    context.fillStyle = barColors[this.options.color];
    const { counts, edges } = this.#histogram ?? { counts: [], edges: [] };
    const [low, high] = this.#limits.map((limit) => within(this.#axis, limit) * width) as [number, number];
    barHeights(counts).forEach((part, index) => {
      const left = within(this.#axis, edges[index] ?? 0) * width;
      const right = Math.max(within(this.#axis, edges[index + 1] ?? 0) * width, left + 1);
      const height = part > 0 ? Math.max(part * (heightPixels - 4), 1) : 0;
      for (const [from, to, opacity] of [[left, Math.min(right, low), 0.3], [Math.max(left, low), Math.min(right, high), 1], [Math.max(left, high), right, 0.3]] as const) {
        if (to > from) {
          context.globalAlpha = opacity;
          context.fillRect(from, heightPixels - height, to - from, height);
        }
      }
    });
  }
}
