// A limit of the stretch, as a handle on a histogram. The user drags it or moves it
// with keys.

import { element } from "./dom";
import { rounded, sampleAt, within } from "./histogram";
import type { BarColor } from "./histogramcanvas";
import type { Range } from "./style";

const keySteps: Record<string, number> = {
  ArrowLeft: -0.005, ArrowRight: 0.005, ArrowDown: -0.005, ArrowUp: 0.005, PageDown: -0.05, PageUp: 0.05, Home: -2, End: 2,
};

export interface HandleOptions {
  readonly id: string;
  readonly label: string;
  readonly end: "low" | "high";
  readonly color: BarColor;
  readonly isWhole: boolean; // samples are whole numbers
  readonly onMove: (sample: number) => void;
  readonly onDone: () => void; // after the last move
}

export class LimitHandle {
  readonly element: HTMLElement;
  isHeld = false;

  #axis: Range = [0, 1];
  #sample = 0;

  constructor(private readonly options: HandleOptions) {
    this.element = element("div", {
      class: `limit ${options.end} ${options.color}`, role: "slider", tabindex: "0", id: options.id, "aria-label": options.label,
      "aria-orientation": "horizontal",
    });
    this.element.addEventListener("pointerdown", (event) => this.#hold(event));
    this.element.addEventListener("keydown", (event) => {
      const step = keySteps[event.key];
      if (step !== undefined) {
        event.preventDefault();
        this.options.onMove(this.#step(step));
        this.options.onDone();
      }
    });
  }

  show(axis: Range, sample: number): void {
    this.#axis = axis;
    this.#sample = rounded(sample, axis[1] - axis[0], this.options.isWhole);
    this.element.style.left = `${within(axis, this.#sample) * 100}%`;
    this.element.setAttribute("aria-valuemin", String(axis[0]));
    this.element.setAttribute("aria-valuemax", String(axis[1]));
    this.element.setAttribute("aria-valuenow", String(this.#sample));
  }

  // #step returns the sample one step away, at least the next whole one.
  #step(step: number): number {
    const part = within(this.#axis, this.#sample) + step;
    const next = sampleAt(this.#axis, part, this.options.isWhole);
    return next === this.#sample && part > 0 && part < 1 ? next + Math.sign(step) : next;
  }

  #hold(down: PointerEvent): void {
    down.preventDefault();
    this.element.focus({ preventScroll: true });
    this.element.setPointerCapture(down.pointerId);
    this.isHeld = true;
    const sampleUnder = (event: PointerEvent) => {
      const box = this.element.parentElement?.getBoundingClientRect() ?? new DOMRect();
      return sampleAt(this.#axis, (event.clientX - box.left) / box.width, this.options.isWhole);
    };
    const move = (event: PointerEvent) => this.options.onMove(sampleUnder(event));
    const end = () => {
      this.isHeld = false;
      this.element.removeEventListener("pointermove", move);
      this.options.onDone();
    };
    this.element.addEventListener("pointermove", move);
    this.element.addEventListener("lostpointercapture", end, { once: true });
  }
}
