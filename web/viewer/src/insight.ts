// Requests about the current picture: statistics for the histograms, and the legend.

import { allowsParameter, allowsValues } from "./allow";
import { layerAddress, statisticsAddress } from "./addresses";
import { ask, wasAborted } from "./ask";
import type { LayerDocument, LegendDocument, StatisticsDocument } from "./documents";
import { Legend } from "./legend";
import { hasLegend, headingOf, pictureOf, shownBy, type Picture } from "./picture";
import { parametersOf, queryOf, type Pair, type Range, type Style } from "./style";
import type { StylePanel } from "./stylepanel";
import { isShade } from "./terrain";

const bins = 128;
const aboutSamples = ["expression", "unscale", "nodata", "complex"];

export class Insight {
  #legend = new Legend();
  #asking = new AbortController();
  #about = "";
  #statistics: StatisticsDocument | undefined;
  #ranges: readonly Range[] | undefined;
  #explained: LegendDocument | undefined;
  #turn = 0; // number of the latest request for a legend; answers to earlier ones are discarded

  constructor(private readonly panel: StylePanel) {}

  /** show loads the statistics and legend of a layer in a style, and passes them to the panel. */
  async show(layer: LayerDocument, style: Style): Promise<void> {
    const picture = pictureOf(layer, style);
    const which = whichSamples(layer, style, picture);
    const about = `${layer.id} ${layer.statistics.version} ${queryOf(which)}`;
    const isNew = about !== this.#about;
    this.#about = about;
    void this.#explain(layer, style, picture);
    if (!isNew) {
      return;
    }
    this.#asking.abort();
    const { signal } = this.#asking = new AbortController();
    this.#statistics = this.#ranges = this.#explained = undefined;
    this.#notifyPanel();
    if (!allowsValues(layer)) {
      return;
    }
    try {
      this.#statistics = await ask<StatisticsDocument>(statisticsAddress(layer.id, which, bins), signal);
      this.#notifyPanel();
      await this.#learnRanges(layer, style, signal);
    } catch (error) {
      if (!wasAborted(error)) {
        this.#about = "";
        this.#notifyPanel(`There are no statistics: ${(error as Error).message}`);
      }
    }
  }

  // #learnRanges requests the limits of the default stretch, which the server knows once it has statistics.
  async #learnRanges(layer: LayerDocument, style: Style, signal: AbortSignal): Promise<void> {
    const { stretch, rescale } = shownBy(layer, style);
    if (stretch === "none" || rescale !== null) {
      return;
    }
    const now = await ask<LayerDocument>(layerAddress(layer.id), signal);
    this.#ranges = shownBy(now, style).rescale ?? undefined;
    this.#notifyPanel();
  }

  // #explain loads the legend, before the statistics or after them.
  async #explain(layer: LayerDocument, style: Style, picture: Picture): Promise<void> {
    const turn = ++this.#turn;
    const isShown = hasLegend(picture) || (style.name !== undefined && !isShade(picture.algorithm));
    const legend = await this.#legend.show(isShown ? layer.id : undefined, parametersOf(style), headingOf(layer, style, picture));
    if (turn !== this.#turn) {
      return;
    }
    this.#explained = legend;
    if (this.#statistics) {
      this.#notifyPanel();
    }
  }

  #notifyPanel(problem?: string): void {
    this.panel.setInsights({ statistics: this.#statistics, legend: this.#explained, ranges: this.#ranges, ...(problem && { problem }) });
  }
}

// The samples of the picture's bands. The server applies to them what the style says about values.
function whichSamples(layer: LayerDocument, style: Style, { bands }: Picture): Pair[] {
  const about = parametersOf(style).filter(([name]) => aboutSamples.includes(name));
  const isComputed = about.some(([name]) => name === "expression");
  return [["style", style.name ?? "default"], ...(bands.length > 0 && !isComputed && allowsParameter(layer, "bidx") ? [["bidx", [...new Set(bands)].join(",")] as const] : []), ...about];
}
