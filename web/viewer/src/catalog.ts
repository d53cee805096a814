// The layers of the server: those with a place on earth, and those with pixels only.

import { layerAddress } from "./addresses";
import { ask, Refusal } from "./ask";
import type { LayerDocument } from "./documents";
import { Section } from "./section";

export type Sections = readonly [placed: Section, unplaced: Section];

export class Catalog {
  sections: Sections = [new Section(true, ""), new Section(false, "")];
  #documents = new Map<string, Promise<LayerDocument>>();

  get total(): number {
    return this.sections[0].total + this.sections[1].total;
  }

  /** start returns the layer to show first. */
  get start(): string | undefined {
    return this.sections[0].start ?? this.sections[1].start;
  }

  async load(): Promise<void> {
    this.sections = await this.search("");
    this.#documents.clear();
  }

  /** search finds layers by words, and loads the first of them. */
  async search(words: string, signal?: AbortSignal): Promise<Sections> {
    const sections: Sections = [new Section(true, words, signal), new Section(false, words, signal)];
    await Promise.all(sections.map((section) => section.load(0, 1)));
    return sections;
  }

  /** refresh loads the list and some layers again, and reports whether anything has changed. */
  async refresh(shown: readonly string[]): Promise<boolean> {
    const before = await this.#knowledge(this.sections, shown);
    const asked = new Map(this.#documents);
    try {
      this.#documents.clear();
      const [placed, unplaced] = await Promise.all(this.sections.map((section) => section.again()));
      const sections: Sections = [placed ?? this.sections[0], unplaced ?? this.sections[1]];
      if (await this.#knowledge(sections, shown) === before) {
        return false;
      }
      this.sections = sections;
      return true;
    } catch {
      this.#documents = asked; // the server does not answer, so the list stays
      return false;
    }
  }

  /** layer returns the full document of a layer. A failed request is repeated. */
  layer(id: string): Promise<LayerDocument> {
    let document = this.#documents.get(id);
    if (!document) {
      document = ask<LayerDocument>(layerAddress(id));
      this.#documents.set(id, document);
      document.catch(() => this.#documents.delete(id));
    }
    return document;
  }

  /** has reports whether a layer exists. */
  async has(id: string): Promise<boolean> {
    try {
      await this.layer(id);
      return true;
    } catch (error) {
      return !(error instanceof Refusal && error.status === 404);
    }
  }

  /** state returns the current document of a layer, not cached, to show progress. */
  async state(id: string): Promise<LayerDocument> {
    const document = await ask<LayerDocument>(layerAddress(id));
    this.#documents.set(id, Promise.resolve(document));
    return document;
  }

  async #knowledge(sections: Sections, shown: readonly string[]): Promise<string> {
    const documents = await Promise.all(shown.map((id) => this.layer(id).catch(() => undefined)));
    return JSON.stringify([sections.map((section) => section.text), documents.map((layer) => layer?.statistics_version)]);
  }
}
