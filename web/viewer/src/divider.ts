// The divider between the two sides of the map, for pointers and keys.

import { byID } from "./dom";

const keySteps: Record<string, number> = { ArrowLeft: -0.02, ArrowRight: 0.02, PageDown: -0.1, PageUp: 0.1, Home: -1, End: 1 };

export class Divider {
  /** onMove receives the position of the divider, from 0 to 1, and whether the user released it. */
  onMove: (at: number, isDone: boolean) => void = () => {};

  #element = byID("divider");
  #at = 0.5;

  constructor() {
    this.#element.addEventListener("pointerdown", (event) => this.#hold(event));
    this.#element.addEventListener("keydown", (event) => {
      const step = keySteps[event.key];
      if (step !== undefined) {
        event.preventDefault();
        this.#move(this.#at + step, true);
      }
    });
  }

  show(at: number | undefined): void {
    this.#element.hidden = at === undefined;
    if (at !== undefined) {
      this.#place(at);
    }
  }

  #hold(down: PointerEvent): void {
    down.preventDefault();
    this.#element.focus();
    this.#element.setPointerCapture(down.pointerId);
    const stage = byID("stage").getBoundingClientRect();
    const move = (event: PointerEvent) => this.#move((event.clientX - stage.left) / stage.width, false);
    const end = () => {
      this.#element.removeEventListener("pointermove", move);
      this.#move(this.#at, true);
    };
    this.#element.addEventListener("pointermove", move);
    this.#element.addEventListener("lostpointercapture", end, { once: true });
  }

  #move(to: number, isDone: boolean): void {
    this.#place(Math.min(Math.max(to, 0), 1));
    this.onMove(this.#at, isDone);
  }

  #place(at: number): void {
    this.#at = at;
    this.#element.style.left = `${at * 100}%`;
    this.#element.setAttribute("aria-valuenow", String(Math.round(at * 100)));
  }
}
