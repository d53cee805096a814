// The layers of the server, each asked for in full once, and again when it may have changed.

import { layerAddress, layersAddress } from "./addresses";
import { ask } from "./ask";
import type { LayerDocument, LayerSummary } from "./documents";

export class Catalogue {
  layers: readonly LayerSummary[] = [];
  #documents = new Map<string, Promise<LayerDocument>>();

  async load(): Promise<void> {
    this.layers = (await ask<{ layers: LayerSummary[] }>(layersAddress)).layers;
    this.#documents.clear();
  }

  /** refresh asks for the layers once more, and tells whether something has changed. */
  async refresh(): Promise<boolean> {
    const before = JSON.stringify(this.layers);
    const { layers } = await ask<{ layers: LayerSummary[] }>(layersAddress).catch(() => ({ layers: this.layers }));
    if (JSON.stringify(layers) === before) {
      return false;
    }
    this.layers = layers;
    this.#documents.clear();
    return true;
  }

  /** layer is a layer in full. What failed is asked for again. */
  layer(id: string): Promise<LayerDocument> {
    let document = this.#documents.get(id);
    if (!document) {
      document = ask<LayerDocument>(layerAddress(id));
      this.#documents.set(id, document);
      document.catch(() => this.#documents.delete(id));
    }
    return document;
  }

  /** state is a layer as it is right now, to see how far something is. */
  state(id: string): Promise<LayerDocument> {
    return ask<LayerDocument>(layerAddress(id));
  }
}
