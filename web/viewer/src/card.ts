// A layer in the list: its preview, its name and what it is.

import { layerAddress, previewAddress } from "./addresses";
import { ask, whyNot } from "./ask";
import type { LayerDocument, LayerSummary, Overviews } from "./documents";
import { element } from "./dom";

const previewPixels = 240;
const leastRetrySeconds = 1;
const mostRetrySeconds = 5; // also where the server thinks of more: there is progress to show

/** cardOf is a card. It asks for its preview until there is one, or there can be none, or it is not in the page any more. */
export function cardOf(layer: LayerSummary, choose: () => void): HTMLButtonElement {
  const image = element("img", { alt: "", loading: "lazy", decoding: "async" });
  const frame = element("span", { class: "preview" }, image);
  const facts = element("span", { class: "card-facts" }, factsOf(layer));
  const address = `${previewAddress(layer.id, previewPixels)}&wait=0`;
  image.addEventListener("load", () => {
    frame.className = "preview loaded";
    facts.textContent = factsOf(layer);
  });
  image.addEventListener("error", () => void retry());
  image.src = address;

  async function retry(): Promise<void> {
    const refusal = await whyNot(address);
    if (refusal && refusal.status !== 503 && refusal.status !== 0) {
      frame.classList.add("failed");
      return;
    }
    const state = await ask<LayerDocument>(layerAddress(layer.id)).catch(() => undefined);
    frame.classList.toggle("waiting", Boolean(refusal));
    facts.textContent = state?.overviews ? overviewText(state.overviews) : factsOf(layer);
    const seconds = refusal ? Math.min(Math.max(refusal.retryAfterSeconds, leastRetrySeconds), mostRetrySeconds) : 0;
    setTimeout(() => image.isConnected && (image.src = address), 1000 * seconds);
  }

  return element("button", { type: "button", class: "card", "data-layer": layer.id, id: `layer-${layer.id}`, tabindex: "-1", onclick: choose },
    frame, element("span", { class: "card-text" }, element("span", { class: "card-title" }, layer.title), facts));
}

/** overviewText says how far the overviews of a layer are. */
export function overviewText({ making, progress }: Overviews): string {
  return making ? `Preparing overviews: ${Math.round(progress * 100)} %` : "Overviews have to be made first";
}

function factsOf(layer: LayerSummary): string {
  if (layer.overviews) {
    return overviewText(layer.overviews);
  }
  const bands = layer.band_count === 1 ? "1 band" : `${layer.band_count} bands`;
  return `${layer.width} × ${layer.height} · ${bands}`;
}
