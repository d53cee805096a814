// What the two sides show, in a word, over the map.

import { byID } from "./dom";
import type { Scene } from "./session";
import { tileSetIn } from "./space";
import { summaryOf } from "./summary";

/** showSideTitles names both sides, if there are two, and marks the one that the panel is about. */
export function showSideTitles(scene: Scene): void {
  for (const name of ["left", "right"] as const) {
    const button = byID(`side-${name}`);
    const side = scene[name];
    button.hidden = !scene.right || !side;
    button.setAttribute("aria-pressed", String(scene.active === name));
    if (side) {
      const { document, style } = side;
      const missing = tileSetIn(document, scene.space) ? "" : scene.space === "pixels" ? "not in pixels" : "has no place on the map";
      button.textContent = name === "right" && isCopy(scene) ? "Choose a layer or style for this side" : [document.title, missing || summaryOf(style, document.styles)].filter(Boolean).join(" · ");
      button.title = `Style the ${name} side`;
    }
  }
}

// isCopy tells whether the right side still shows what the left side does, as when a comparison begins.
function isCopy({ left, right }: Scene): boolean {
  return left.document.id === right?.document.id && JSON.stringify(left.style) === JSON.stringify(right.style);
}
