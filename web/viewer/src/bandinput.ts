// The input for one band: a list or, if the layer has very many bands, a text field for its number or part of its name.

import { bandLabel, bandNamed } from "./bands";
import { element, selectOf } from "./dom";
import type { LayerDocument } from "./documents";

const maxListedBands = 32;
const listID = "band-names";

export interface BandInput {
  readonly element: HTMLElement;
  readonly band: number;
  show(band: number): void;
}

/** bandInput returns the input for a band; label is its purpose. */
export function bandInput(layer: LayerDocument, id: string, label: string, choose: () => void): BandInput {
  return layer.bands.length > maxListedBands ? writtenBand(layer, id, label, choose) : listedBand(layer, id, label, choose);
}

/** bandNames returns the completions of the text field, or nothing if the input is a list. */
export function bandNames(layer: LayerDocument): HTMLElement[] {
  const options = layer.bands.map((band) => element("option", { value: bandLabel(band, band.index) }));
  return layer.bands.length > maxListedBands ? [element("datalist", { id: listID }, ...options)] : [];
}

function listedBand(layer: LayerDocument, id: string, label: string, choose: () => void): BandInput {
  const options = layer.bands.map((band) => ({ value: String(band.index), label: bandLabel(band, band.index) }));
  const select = selectOf(id, options, choose);
  select.setAttribute("aria-label", label);
  return {
    element: select,
    get band() { return Number(select.value); },
    show: (band) => { select.value = String(band); },
  };
}

function writtenBand(layer: LayerDocument, id: string, label: string, choose: () => void): BandInput {
  let shown = 1;
  const input = element("input", { id, type: "text", list: listID, autocomplete: "off", spellcheck: "false", "aria-label": label });
  const show = (band: number) => {
    shown = band;
    input.value = bandLabel(layer.bands[band - 1], band);
    input.title = input.value;
  };
  input.addEventListener("focus", () => input.select());
  input.addEventListener("change", () => {
    const band = bandNamed(layer, input.value);
    show(band ?? shown);
    if (band !== undefined) {
      choose();
    }
  });
  return { element: input, get band() { return shown; }, show };
}
