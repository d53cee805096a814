// What the operator allows strangers to ask of a layer.

import type { LayerSummary } from "./documents";

const extensions = ["webp", "png", "jpg"] as const; // WebP has a tenth of the bytes of PNG

/** allowsFormat reports whether pictures or data of a format may be requested. */
export function allowsFormat({ allow }: LayerSummary, name: string): boolean {
  return allow?.formats?.includes(name) ?? true;
}

/** allowsParameter reports whether a request may set a parameter. */
export function allowsParameter({ allow }: LayerSummary, name: string): boolean {
  return allow?.parameters?.includes(name) ?? true;
}

/** allowsValues reports whether the server tells values and statistics. */
export function allowsValues({ allow }: LayerSummary): boolean {
  return allow?.values ?? true;
}

/** allowsSide reports whether a square picture of so many pixels a side may be requested. */
export function allowsSide({ allow }: LayerSummary, side: number): boolean {
  return side <= (allow?.max_width ?? side) && side <= (allow?.max_height ?? side) && side * side <= (allow?.max_pixels ?? side * side);
}

/** pictureExtension returns the first of some extensions whose format may be requested, or the first one. */
export function pictureExtension(layer: LayerSummary, preferred: readonly string[] = extensions): string {
  return [...preferred, ...extensions].find((name) => allowsFormat(layer, name)) ?? preferred[0] ?? extensions[0];
}
