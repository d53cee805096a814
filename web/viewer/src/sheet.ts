// The panel of a narrow screen: a sheet at the bottom that the user drags up and down.

import { byID } from "./dom";

const heights = ["peek", "half", "full"] as const;
type Height = (typeof heights)[number];
const parts: Record<Height, number> = { peek: 0.16, half: 0.5, full: 0.9 }; // of the screen
const dragPixels = 6; // a shorter drag is a tap

export class Sheet {
  #grip = byID("sheet-grip");
  #height: Height = "half";

  constructor() {
    this.#grip.addEventListener("pointerdown", (event) => this.#hold(event));
    this.#grip.addEventListener("keydown", (event) => {
      const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (step) {
        event.preventDefault();
        this.set(heights[Math.min(Math.max(heights.indexOf(this.#height) + step, 0), heights.length - 1)] ?? "half");
      } else if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.#next();
      }
    });
    this.set("half");
  }

  set(height: Height): void {
    this.#height = height;
    document.body.dataset["sheet"] = height;
    document.body.style.removeProperty("--sheet-height");
    this.#grip.setAttribute("aria-expanded", String(height !== "peek"));
  }

  /** open raises the sheet if only its edge is visible. */
  open(): void {
    if (this.#height === "peek") {
      this.set("half");
    }
  }

  #next(): void {
    this.set(this.#height === "half" ? "peek" : "half");
  }

  #hold(down: PointerEvent): void {
    this.#grip.setPointerCapture(down.pointerId);
    const begun = byID("panel").getBoundingClientRect().height;
    let moved = 0;
    const move = (event: PointerEvent) => {
      moved = down.clientY - event.clientY;
      if (Math.abs(moved) > dragPixels) {
        document.body.style.setProperty("--sheet-height", `${begun + moved}px`);
      }
    };
    const end = () => {
      this.#grip.removeEventListener("pointermove", move);
      if (Math.abs(moved) <= dragPixels) {
        this.#next();
      } else {
        this.set(nearest((begun + moved) / window.innerHeight));
      }
    };
    this.#grip.addEventListener("pointermove", move);
    this.#grip.addEventListener("lostpointercapture", end, { once: true });
  }
}

function nearest(part: number): Height {
  return heights.reduce((best, height) => (Math.abs(parts[height] - part) < Math.abs(parts[best] - part) ? height : best));
}
