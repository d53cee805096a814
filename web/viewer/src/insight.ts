// What is asked about the picture shown: statistics for the histograms, and the legend.

import { statisticsAddress } from "./addresses";
import { ask, wasAborted } from "./ask";
import { isSingle } from "./bands";
import type { LayerDocument, StatisticsDocument } from "./documents";
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

  constructor(private readonly panel: StylePanel) {}

  /** show asks about a layer in a style, and tells the panel. */
  async show(layer: LayerDocument, style: Style): Promise<void> {
    const parameters = parametersOf(style);
    const which = this.#which(style, parameters);
    const about = `${layer.id} ${layer.statistics.version} ${queryOf(which)}`;
    const isNew = about !== this.#about;
    this.#about = about;
    const legend = this.#legend.show(hasLegend(layer, style) ? layer.id : undefined, parameters);
    if (!isNew) {
      this.panel.tell(this.#statistics, await legend);
      return;
    }
    this.#asking.abort();
    this.#asking = new AbortController();
    this.#statistics = undefined;
    this.panel.tell(undefined, undefined);
    try {
      const statistics = await ask<StatisticsDocument>(statisticsAddress(layer.id, which, bins), this.#asking.signal);
      this.#statistics = statistics;
      this.panel.tell(statistics, await legend);
    } catch (error) {
      if (!wasAborted(error)) {
        this.#about = "";
        this.panel.tell(undefined, undefined, `There are no statistics: ${(error as Error).message}`);
      }
    }
  }

  clear(): void {
    this.#asking.abort();
    this.#about = "";
    void this.#legend.show(undefined, []);
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
