// The arithmetic of histograms and of the limits on them.

import type { BandStatistics, StatisticsDocument } from "./documents";
import type { Range } from "./style";

/** Bars and their edges; the number of edges is one more. */
export interface Histogram {
  readonly counts: readonly number[];
  readonly edges: readonly number[];
}

/** bandNumbers returns the bands of a document, from 1, in order. */
export function bandNumbers(document: StatisticsDocument): number[] {
  return Object.keys(document)
    .map((name) => Number(name.slice(1)))
    .filter((band) => band >= 1)
    .sort((a, b) => a - b);
}

/** histogramOf returns the bars of a band, or undefined if it has no samples. */
export function histogramOf(band: BandStatistics | undefined): Histogram | undefined {
  const [counts, edges] = band?.histogram ?? [];
  return counts && edges && counts.length > 0 ? { counts, edges } : undefined;
}

/** barHeights returns heights from 0 to 1. They are roots of the counts, so that small counts stay visible beside large ones. */
export function barHeights(counts: readonly number[]): number[] {
  const highest = Math.max(...counts, 0);
  return counts.map((count) => (highest > 0 ? Math.sqrt(count / highest) : 0));
}

/** percentileOf estimates from the bars the sample below which a percentage of the pixels lies. */
export function percentileOf({ counts, edges }: Histogram, percent: number): number {
  const all = counts.reduce((sum, count) => sum + count, 0);
  let missing = (all * percent) / 100;
  for (const [index, count] of counts.entries()) {
    const [low = 0, high = 0] = [edges[index], edges[index + 1]];
    if (count > 0 && missing <= count) {
      return low + (high - low) * (missing / count);
    }
    missing -= count;
  }
  return edges.at(-1) ?? 0;
}

/** limitsOf returns the samples that a stretch makes black and white, or undefined if only the server knows them. */
export function limitsOf(band: BandStatistics, stretch: string): Range | undefined {
  const { min, max, mean, std, percentile_2: low, percentile_98: high } = band;
  if (min === null || max === null || mean === null || std === null || low === null || high === null) {
    return undefined;
  }
  const [name, numbers = ""] = stretch.split(":");
  const [first, second] = numbers.split(",").map(Number);
  switch (name) {
    case "none":
      return [0, 255];
    case "minmax":
      return [min, max];
    case "dra": {
      const distance = high - low;
      return [Math.max(min, low - 0.2 * distance), Math.min(max, high + 0.4 * distance)];
    }
    case "stddev": {
      const count = first || 2;
      return [Math.max(min, mean - count * std), Math.min(max, mean + count * std)];
    }
    case "percentile": {
      const bars = histogramOf(band);
      if (numbers === "" || (first === 2 && second === 98) || !bars) {
        return [low, high];
      }
      return [percentileOf(bars, first ?? 2), percentileOf(bars, second ?? 98)];
    }
  }
  return undefined;
}

/** limitsText returns the limits of the stretch as text, with as many digits as matter. */
export function limitsText(limits: readonly Range[]): string {
  const texts = limits.map(([low, high]) => `${spanNumber(low, high - low)}–${spanNumber(high, high - low)}`);
  return new Set(texts).size === 1 ? `stretch ${texts[0]}` : "stretch by band";
}

function spanNumber(value: number, span: number): string {
  const digits = Math.min(Math.max(2 - Math.floor(Math.log10(span || 1)), 0), 6);
  return String(Number(value.toFixed(digits))).replace("-", "−");
}

/** axisOf returns the range of a histogram's axis: all samples and the limits, with a margin. */
export function axisOf(histogram: Histogram, limits: Range): Range {
  const low = Math.min(histogram.edges[0] ?? 0, ...limits);
  const high = Math.max(histogram.edges.at(-1) ?? 0, ...limits);
  const room = (high - low) * 0.02 || Math.abs(high) * 0.02 || 1;
  return [low - room, high + room];
}

/** within returns the position of a sample on an axis, from 0 to 1. */
export function within([low, high]: Range, sample: number): number {
  return Math.min(Math.max((sample - low) / (high - low), 0), 1);
}

/** sampleAt returns the sample at a position on an axis, rounded to the axis's precision or to whole samples. */
export function sampleAt([low, high]: Range, part: number, isWhole: boolean): number {
  const sample = low + (high - low) * Math.min(Math.max(part, 0), 1);
  return rounded(sample, high - low, isWhole);
}

/** rounded drops digits below a thousandth of the span. */
export function rounded(sample: number, span: number, isWhole: boolean): number {
  if (isWhole && span > 8) {
    return Math.round(sample);
  }
  const digits = Math.min(Math.max(3 - Math.floor(Math.log10(span || 1)), 0), 12);
  return Number(sample.toFixed(digits));
}

/** moved returns the limits with one of them moved, but never beyond the other. */
export function moved(limits: Range, which: 0 | 1, sample: number): Range {
  return which === 0 ? [Math.min(sample, limits[1]), limits[1]] : [limits[0], Math.max(sample, limits[0])];
}
