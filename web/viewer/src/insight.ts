// What is asked about the picture shown: statistics for the histograms, and the legend.

import { statisticsAddress } from "./addresses";
import { ask, wasAborted } from "./ask";
import { isSingle } from "./bands";
import type { LayerDocument, LegendDocument, StatisticsDocument } from "./documents";
import { Legend } from "./legend";
import { parametersOf, queryOf, type Pair, type Style } from "./style";
import type { StylePanel } from "./stylepanel";
import { hasColors } from "./terrainpicker";

const bins = 128;
const aboutSamples = ["bidx", "bands", "expression", "unscale", "nodata", "complex"];

export class Insight {
  #legend = new Legend();
  #asking = new AbortController();
  #about = "";
  #statistics: StatisticsDocument | undefined;
  #explained: LegendDocument | undefined;
  #turn = 0; // of those who ask for a legend, the last one gets it

  constructor(private readonly panel: StylePanel) {}

  /** show asks about a layer in a style, and tells the panel. */
  async show(layer: LayerDocument, style: Style): Promise<void> {
    const parameters = parametersOf(style);
    const which = this.#which(style, parameters);
    const about = `${layer.id} ${layer.statistics.version} ${queryOf(which)}`;
    const isNew = about !== this.#about;
    this.#about = about;
    void this.#explain(hasLegend(layer, style) ? layer.id : undefined, parameters);
    if (!isNew) {
      return;
    }
    this.#asking.abort();
    this.#asking = new AbortController();
    this.#statistics = this.#explained = undefined;
    this.panel.tell(undefined, undefined);
    try {
      this.#statistics = await ask<StatisticsDocument>(statisticsAddress(layer.id, which, bins), this.#asking.signal);
      this.panel.tell(this.#statistics, this.#explained);
    } catch (error) {
      if (!wasAborted(error)) {
        this.#about = "";
        this.panel.tell(undefined, undefined, `There are no statistics: ${(error as Error).message}`);
      }
    }
  }

  // explain brings the legend, whether before the statistics or after them.
  async #explain(layer: string | undefined, parameters: readonly Pair[]): Promise<void> {
    const turn = ++this.#turn;
    const legend = await this.#legend.show(layer, parameters);
    if (turn !== this.#turn) {
      return;
    }
    this.#explained = legend;
    if (this.#statistics) {
      this.panel.tell(this.#statistics, legend);
    }
  }

  // The bands of the picture: those of a style by its name, unless others are asked for.
  #which(style: Style, parameters: readonly Pair[]): Pair[] {
    const own = parameters.filter(([name]) => aboutSamples.includes(name));
    return [["style", style.name ?? "default"], ...own];
  }
}

// The legend of three bands says no more than that they are red, green and blue, and that of a shaded relief that light is
// bright.
function hasLegend(layer: LayerDocument, style: Style): boolean {
  const hasMeaning = style.algorithm === undefined || hasColors(style.algorithm);
  return hasMeaning && (isSingle(layer, style) || style.name !== undefined);
}
