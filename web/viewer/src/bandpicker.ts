// The choice of bands: three as red, green and blue, a single one, or an expression.

import { allowsParameter } from "./allow";
import { bandInput, bandNames, type BandInput } from "./bandinput";
import { colorBands } from "./bands";
import type { Control, ControlContext } from "./control";
import { choiceOf, element, field } from "./dom";
import type { LayerDocument } from "./documents";
import { ExpressionBox } from "./expressionbox";
import { bandMode, shownBy, type BandMode, type Picture } from "./picture";
import { exampleExpression, isChosen, presetsOf } from "./presets";
import { changed, parametersOf, type Style } from "./style";

const channels = ["Red", "Green", "Blue"] as const;

// The parameters that a new choice of bands clears, because they were set for the previous bands.
const fresh = { rescale: undefined, expression: undefined, bands: undefined } as const;

export class BandPicker implements Control {
  readonly element: HTMLElement;

  #style: Style = {};
  #bands: readonly number[] = [];
  #wantsExpression = false; // though the text is still empty
  #mode: ReturnType<typeof choiceOf>;
  #single: BandInput;
  #singleField: HTMLElement;
  #three: BandInput[];
  #threeFields: HTMLElement;
  #expression: ExpressionBox;
  #presets: { button: HTMLElement; show(style: Style): void }[];

  /** check returns the server's reason to reject an expression, before it is applied. */
  constructor(
    private readonly context: ControlContext,
    private readonly check: (style: Style) => Promise<string | undefined>,
  ) {
    const { layer, change } = context;
    this.#mode = choiceOf("bands-mode", "Bands", modesOf(layer), (value) => this.#choose(value as BandMode));
    this.#single = bandInput(layer, "band-gray", "Band", () => change({ ...fresh, bands: [this.#single.band] }));
    this.#three = channels.map((channel) => bandInput(layer, `band-${channel.toLowerCase()}`, `Band shown as ${channel.toLowerCase()}`, () =>
      change({ ...fresh, bands: this.#three.map(({ band }) => band) })));
    this.#singleField = field("Band", this.#single.element);
    this.#threeFields = element("div", { class: "three" }, ...this.#three.map((input, place) =>
      element("label", { class: `channel ${channels[place]?.toLowerCase()}` }, element("span", {}, channels[place]), input.element)));
    this.#expression = new ExpressionBox(exampleExpression(layer), (text) => this.#takeExpression(text));
    this.#presets = this.#makePresets();
    const pills = element("div", { class: "pills", role: "group", "aria-label": "Presets", hidden: this.#presets.length === 0 },
      ...this.#presets.map(({ button }) => button));
    this.element = element("section", { id: "bands-section" }, element("h3", {}, "Bands"), pills, this.#mode.element,
      this.#threeFields, this.#singleField, this.#expression.element, ...bandNames(layer));
  }

  show(style: Style, picture: Picture): void {
    this.#style = style;
    const { layer } = this.context;
    const mode = this.#wantsExpression ? "expression" : bandMode(picture);
    this.#mode.show(mode);
    this.#singleField.hidden = mode !== "single" || colorBands(layer).length === 1;
    this.#threeFields.hidden = mode !== "rgb";
    this.#expression.element.hidden = mode !== "expression";
    this.#expression.show(picture.expression);
    this.#bands = picture.bands.length > 0 ? picture.bands : usualBands(layer);
    this.#single.show(this.#bands[0] ?? 1);
    this.#three.forEach((input, place) => input.show(this.#bands[place] ?? this.#bands[0] ?? 1));
    this.#presets.forEach((preset) => preset.show(style));
    this.element.hidden = !allowsParameter(layer, "bidx") || colorBands(layer).length === 1 && picture.mode === "palette";
  }

  #makePresets(): { button: HTMLElement; show(style: Style): void }[] {
    return presetsOf(this.context.layer).filter(({ choices }) => parametersOf(choices).every(([name]) => allowsParameter(this.context.layer, name))).map((preset) => {
      const button = element("button", {
        type: "button", id: `preset-${preset.id}`, title: preset.title, "aria-pressed": "false",
        onclick: () => {
          this.#wantsExpression = false;
          this.context.change(preset.choices);
        },
      }, preset.label);
      return { button, show: (style) => button.setAttribute("aria-pressed", String(isChosen(preset, style))) };
    });
  }

  #choose(mode: BandMode): void {
    this.#wantsExpression = mode === "expression";
    if (mode === "single") {
      this.context.change({ ...fresh, bands: this.#bands.slice(0, 1), colorMap: undefined });
    } else if (mode === "rgb") {
      const usual = shownBy(this.context.layer, this.#style);
      const bands = usual.mode === "rgb" && !usual.expression ? undefined : usualBands(this.context.layer);
      this.context.change({ ...fresh, bands, colorMap: undefined, algorithm: undefined, relief: undefined });
    } else {
      this.#expression.element.hidden = false;
      this.#threeFields.hidden = this.#singleField.hidden = true;
      this.#mode.show(mode);
      this.#expression.focus();
    }
  }

  async #takeExpression(text: string): Promise<string | undefined> {
    const choices = { ...fresh, expression: text || undefined };
    const problem = await this.check(changed(this.#style, choices));
    if (!problem) {
      this.#wantsExpression = false;
      this.context.change(choices);
    }
    return problem;
  }
}

// The initial bands if the picture shows none: those that the layer shows as colors, or the first three.
function usualBands(layer: LayerDocument): number[] {
  const { bidx = [] } = layer.default ?? {};
  return bidx.length === 3 ? bidx : colorBands(layer).slice(0, 3);
}

function modesOf(layer: LayerDocument) {
  return [
    ...(colorBands(layer).length >= 3 ? [{ value: "rgb", label: "Three bands" }] : []),
    { value: "single", label: "One band" },
    ...(allowsParameter(layer, "expression") ? [{ value: "expression", label: "Expression" }] : []),
  ];
}
