// A card of the layer list: preview, name and facts of a layer.

import { pictureExtension } from "./allow";
import { layerAddress, previewAddress } from "./addresses";
import { ask, fetchRefusal } from "./ask";
import type { LayerDocument, LayerSummary, Overviews } from "./documents";
import { element } from "./dom";

const previewPixels = 240;
const minRetrySeconds = 1;
const maxRetrySeconds = 5; // even if the server says more: the card shows progress

/** cardOf returns a card. It requests its preview until that arrives or cannot exist, or the card has left the page. */
export function cardOf(layer: LayerSummary, choose: () => void): HTMLButtonElement {
  const image = element("img", { alt: "", loading: "lazy", decoding: "async" });
  const frame = element("span", { class: "preview" }, image);
  const facts = element("span", { class: "card-facts" }, factsOf(layer));
  const address = `${previewAddress(layer.id, pictureExtension(layer), previewPixels)}&wait=0`;
  image.addEventListener("load", () => {
    frame.className = "preview loaded";
    facts.textContent = factsOf(layer);
    if (layer.offered) {
      void tellOpened();
    }
  });
  image.addEventListener("error", () => void retry());
  image.src = address;

  /** tellOpened shows the facts of a layer that its preview has opened. */
  async function tellOpened(): Promise<void> {
    const opened = await ask<LayerDocument>(layerAddress(layer.id)).catch(() => undefined);
    facts.textContent = factsOf(opened ?? layer);
  }

  async function retry(): Promise<void> {
    const refusal = await fetchRefusal(address);
    if (refusal && !refusal.isPassing) {
      frame.classList.add("failed");
      return;
    }
    const state = await ask<LayerDocument>(layerAddress(layer.id)).catch(() => undefined);
    frame.classList.toggle("waiting", Boolean(refusal));
    facts.textContent = state?.overviews ? overviewText(state.overviews) : factsOf(layer);
    const seconds = refusal ? Math.min(Math.max(refusal.retryAfterSeconds, minRetrySeconds), maxRetrySeconds) : 0;
    setTimeout(() => image.isConnected && (image.src = address), 1000 * seconds);
  }

  return element("button", { type: "button", class: "card", "data-layer": layer.id, id: `layer-${layer.id}`, tabindex: "-1", onclick: choose },
    frame, element("span", { class: "card-text" }, element("span", { class: "card-title" }, layer.title), facts));
}

/** overviewText returns the progress of a layer's overviews as text. */
export function overviewText({ making, progress }: Overviews): string {
  return making ? `Preparing overviews: ${Math.round(progress * 100)} %` : "Overviews have to be built first";
}

function factsOf(layer: LayerSummary): string {
  if (layer.overviews) {
    return overviewText(layer.overviews);
  }
  if (layer.offered) {
    return "";
  }
  const bands = layer.band_count === 1 ? "1 band" : `${layer.band_count} bands`;
  return `${layer.width} × ${layer.height} · ${bands}`;
}
