// The short titles of the two sides, over the map.

import { byID } from "./dom";
import type { Scene } from "./session";
import { tileSetIn } from "./space";
import { summaryOf } from "./summary";

/** showSideTitles names both sides of a comparison, and marks the one that the panel edits. */
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

// isCopy reports whether both sides show the same, as at the beginning of a comparison.
function isCopy({ left, right }: Scene): boolean {
  return left.document.id === right?.document.id && JSON.stringify(left.style) === JSON.stringify(right.style);
}
