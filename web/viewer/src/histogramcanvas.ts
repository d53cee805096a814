// Draws the bars of one band, or of several, overlaid.

import { barHeights, within, type Histogram } from "./histogram";
import type { Range } from "./style";

export const barColors = { red: "#d65a4f", green: "#3e9c62", blue: "#3f83cf", gray: "#7f8d97" };
export type BarColor = keyof typeof barColors;

const heightPixels = 76;
const headroomPixels = 4;
const outsideOpacity = 0.25; // of bars that are black or white

export interface Bars {
  readonly color: BarColor;
  readonly histogram: Histogram | undefined;
  readonly limits: Range;
}

/** drawBars fills a canvas. Overlaid bars are half transparent. */
export function drawBars(canvas: HTMLCanvasElement, axis: Range, all: readonly Bars[]): void {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const context = canvas.getContext("2d");
  if (!context || width === 0) {
    return;
  }
  canvas.width = width * ratio;
  canvas.height = heightPixels * ratio;
  context.scale(ratio, ratio);
  for (const bars of all) {
    const outline = outlineOf(bars.histogram, axis, width);
    context.fillStyle = context.strokeStyle = barColors[bars.color];
    const [low, high] = bars.limits.map((limit) => within(axis, limit) * width) as [number, number];
    const opacity = all.length > 1 ? 0.5 : 1;
    for (const [from, to, part] of [[0, low, outsideOpacity], [low, high, 1], [high, width, outsideOpacity]] as const) {
      fill(context, outline, [from, to], opacity * part);
    }
    if (all.length > 1) {
      context.globalAlpha = 0.9;
      context.stroke(outline);
    }
  }
}

function fill(context: CanvasRenderingContext2D, outline: Path2D, [from, to]: Range, opacity: number): void {
  if (to <= from) {
    return;
  }
  context.save();
  context.beginPath();
  context.rect(from, 0, to - from, heightPixels);
  context.clip();
  context.globalAlpha = opacity;
  context.fill(outline);
  context.restore();
}

function outlineOf(histogram: Histogram | undefined, axis: Range, width: number): Path2D {
  const { counts, edges } = histogram ?? { counts: [], edges: [] };
  const outline = new Path2D();
  barHeights(counts).forEach((part, index) => {
    const left = within(axis, edges[index] ?? 0) * width;
    const right = Math.max(within(axis, edges[index + 1] ?? 0) * width, left + 1);
    const top = heightPixels - (part > 0 ? Math.max(part * (heightPixels - headroomPixels), 1) : 0);
    if (index === 0) {
      outline.moveTo(left, heightPixels);
    }
    outline.lineTo(left, top);
    outline.lineTo(right, top);
    if (index === counts.length - 1) {
      outline.lineTo(right, heightPixels);
    }
  });
  return outline;
}
