// The panel that edits the style of a layer. Its sections depend on the layer.

import { allowsParameter } from "./allow";
import { BandPicker } from "./bandpicker";
import { ColorMapPicker } from "./colormappicker";
import type { Choices, Control } from "./control";
import { byID, element, field, selectOf } from "./dom";
import type { LayerDocument } from "./documents";
import { isSingle, pictureOf, shownBy, type Picture } from "./picture";
import { StretchPicker, type Insights } from "./stretchpicker";
import { changed, type Style } from "./style";
import { hasColors, showsHeights } from "./terrain";
import { terrainPicker } from "./terrainpicker";

const defaultStyle = "default"; // every layer has it

const resamplings = ["nearest", "bilinear", "cubic", "lanczos", "average"]
  .map((value) => ({ value, label: value[0]?.toUpperCase() + value.slice(1) }));

export class StylePanel {
  /** onChange receives the new style of the layer. */
  onChange: (style: Style) => void = () => {};

  /** check returns the server's reason to reject a style. */
  check: (style: Style) => Promise<string | undefined> = () => Promise.resolve(undefined);

  #layer: LayerDocument | undefined;
  #style: Style = {};
  #controls: Control[] = [];
  #stretch: StretchPicker | undefined;

  /** show builds the panel for a layer, or updates the existing one. */
  show(layer: LayerDocument, style: Style, sideName: string | undefined): void {
    this.#style = style;
    if (layer !== this.#layer) {
      this.#layer = layer;
      this.#build(layer);
    }
    const picture = pictureOf(layer, style);
    this.#controls.forEach((control) => control.show(style, picture));
    showSections(layer, picture);
    byID("style-layer").textContent = sideName ? `${layer.title} · ${sideName}` : layer.title;
    byID<HTMLButtonElement>("style-reset").disabled = Object.keys(style).length === 0;
  }

  /** setInsights sets the data of the histogram. */
  setInsights(insights: Insights): void {
    this.#stretch?.setInsights(insights);
  }

  /** refuse shows the server's reason to reject the style, or clears it. */
  refuse(message: string | undefined): void {
    const error = document.getElementById("style-error");
    if (error && error.textContent !== (message ?? "")) {
      error.textContent = message ?? "";
    }
  }

  // #change applies a choice to a layer. A late choice for another layer is discarded.
  #change(layer: LayerDocument, choices: Choices): void {
    if (layer.id === this.#layer?.id) {
      this.onChange(changed(this.#style, choices));
    }
  }

  #build(layer: LayerDocument): void {
    const context = { layer, change: (choices: Choices) => this.#change(layer, choices) };
    this.#stretch = new StretchPicker(context);
    this.#controls = [
      this.#named(layer),
      new BandPicker(context, (style) => this.check(style)),
      terrainPicker(context),
      this.#stretch,
      new ColorMapPicker(context),
      resamplingPicker(layer, context.change),
    ];
    const head = element("div", { class: "style-head" },
      element("h2", { id: "style-layer" }),
      element("button", { type: "button", id: "style-reset", onclick: () => this.onChange({}) }, "Reset"));
    byID("panel-style").replaceChildren(head, factsOf(layer),
      element("p", { id: "style-error", class: "error-text", role: "alert" }), ...this.#controls.map((control) => control.element));
  }

  // Choosing a style of the layer clears all other choices.
  #named(layer: LayerDocument): Control {
    const options = layer.styles.map(({ name, title }) => ({ value: name === defaultStyle ? "" : name, label: title }));
    const select = selectOf("style-name", options, (name) => this.onChange(name ? { name } : {}));
    const control = element("section", { hidden: options.length < 2 }, field("Style", select));
    return { element: control, show: ({ name }) => { select.value = name ?? ""; } };
  }
}

// Each section is visible where it makes sense.
function showSections(layer: LayerDocument, picture: Picture): void {
  const { algorithm, expression, hasFixedColors } = picture;
  const section = (id: string, isShown: boolean) => {
    const found = document.getElementById(id);
    if (found) {
      found.hidden = !isShown;
    }
  };
  const allows = (name: string) => allowsParameter(layer, name);
  section("terrain-section", allows("algorithm") && (algorithm !== undefined || (layer.heights && isSingle(picture) && expression === undefined)));
  section("stretch-section", allows("rescale") && allows("stretch") && showsHeights(algorithm) && !hasFixedColors);
  section("resampling-section", allows("resampling"));
  section("colormap-section", allows("colormap_name") && isSingle(picture) && (!algorithm || hasColors(algorithm)));
}

function resamplingPicker(layer: LayerDocument, change: (choices: Choices) => void): Control {
  const usual = { value: "", label: "Default" };
  const select = selectOf("resampling", [usual, ...resamplings], (value) => change({ resampling: value || undefined }));
  return {
    element: element("section", { id: "resampling-section" }, field("Resampling", select)),
    show: (style) => {
      select.value = style.resampling ?? "";
      const [first] = select.options;
      if (first) {
        first.textContent = `Default (${shownBy(layer, style).resampling})`;
      }
    },
  };
}

function factsOf(layer: LayerDocument): HTMLElement {
  const place = layer.crs ? layer.crs.code ?? layer.crs.name : layer.crs_problem ?? "no place on the earth";
  const facts = [
    `${layer.width.toLocaleString("en")} × ${layer.height.toLocaleString("en")} pixels`,
    `${layer.bands.length} × ${layer.dtype}`,
    place,
  ];
  return element("p", { class: "quiet facts", title: layer.crs?.name }, facts.join(" · "));
}
