// The panel that says how a layer is shown. What it has depends on the layer.

import { hasPalette } from "./addresses";
import { isSingle } from "./bands";
import { BandPicker } from "./bandpicker";
import { ColorMapPicker } from "./colormappicker";
import type { Choices, Control } from "./control";
import { byID, element, field, selectOf } from "./dom";
import type { LayerDocument, LegendDocument, StatisticsDocument } from "./documents";
import { StretchPicker } from "./stretchpicker";
import { changed, type Style } from "./style";
import { hasColors, terrainPicker } from "./terrainpicker";

const defaultStyle = "default"; // which every layer has

const resamplings = [
  { value: "", label: "As the layer has it" },
  ...["nearest", "bilinear", "cubic", "lanczos", "average"].map((value) => ({ value, label: value[0]?.toUpperCase() + value.slice(1) })),
];

export class StylePanel {
  /** onChange is told how the layer is to be shown. */
  onChange: (style: Style) => void = () => {};

  /** check says what the server has against a style. */
  check: (style: Style) => Promise<string | undefined> = () => Promise.resolve(undefined);

  #layer: LayerDocument | undefined;
  #style: Style = {};
  #controls: Control[] = [];
  #stretch: StretchPicker | undefined;

  /** show makes the panel for a layer, or brings the one it has up to date. */
  show(layer: LayerDocument, style: Style, sideName: string | undefined): void {
    this.#style = style;
    if (layer !== this.#layer) {
      this.#layer = layer;
      this.#build(layer);
    }
    this.#controls.forEach((control) => control.show(style));
    const section = (id: string, isShown: boolean) => {
      const found = document.getElementById(id);
      if (found) {
        found.hidden = !isShown;
      }
    };
    const single = isSingle(layer, style);
    section("terrain-section", single && !hasPalette(layer) && layer.dtype !== "uint8");
    section("stretch-section", !style.algorithm && (!hasPalette(layer) || style.expression !== undefined));
    section("colormap-section", single && (!style.algorithm || hasColors(style.algorithm)));
    byID("style-layer").textContent = sideName ? `${layer.title} · ${sideName}` : layer.title;
    byID<HTMLButtonElement>("style-reset").disabled = Object.keys(style).length === 0;
  }

  /** tell brings what the histograms show. */
  tell(statistics: StatisticsDocument | undefined, legend: LegendDocument | undefined, problem?: string): void {
    this.#stretch?.tell(statistics, legend, problem);
  }

  /** refuse says what the server has against the style, or takes that back. */
  refuse(message: string | undefined): void {
    const error = document.getElementById("style-error");
    if (error && error.textContent !== (message ?? "")) {
      error.textContent = message ?? "";
    }
  }

  #build(layer: LayerDocument): void {
    const context = { layer, change: (choices: Choices) => this.onChange(changed(this.#style, choices)) };
    this.#stretch = new StretchPicker(context);
    this.#controls = [
      this.#named(layer),
      new BandPicker(context, (style) => this.check(style)),
      terrainPicker(context),
      this.#stretch,
      new ColorMapPicker(context),
      resamplingPicker(context.change),
    ];
    const head = element("div", { class: "style-head" },
      element("h2", { id: "style-layer" }),
      element("button", { type: "button", id: "style-reset", onclick: () => this.onChange({}) }, "Reset"));
    byID("panel-style").replaceChildren(head, factsOf(layer),
      element("p", { id: "style-error", class: "error-text", role: "alert" }), ...this.#controls.map((control) => control.element));
  }

  // A style of the layer begins anew.
  #named(layer: LayerDocument): Control {
    const options = layer.styles.map(({ name, title }) => ({ value: name === defaultStyle ? "" : name, label: title }));
    const select = selectOf("style-name", options, (name) => this.onChange(name ? { name } : {}));
    const control = element("section", { hidden: options.length < 2 }, field("Style", select));
    return { element: control, show: ({ name }) => { select.value = name ?? ""; } };
  }
}

function resamplingPicker(change: (choices: Choices) => void): Control {
  const select = selectOf("resampling", resamplings, (value) => change({ resampling: value || undefined }));
  return {
    element: element("section", {}, field("Resampling", select)),
    show: ({ resampling }) => { select.value = resampling ?? ""; },
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
