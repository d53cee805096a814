// The choice of bands: three as red, green and blue, one by itself, or what is computed of them.

import { bandLabel, colorBands, defaultBands, modeOf, shownBands, type BandMode } from "./bands";
import type { Control, ControlContext } from "./control";
import { choiceOf, element, field, selectOf } from "./dom";
import type { LayerDocument } from "./documents";
import { ExpressionBox } from "./expressionbox";
import { changed, type Style } from "./style";

const channels = ["Red", "Green", "Blue"] as const;

// What another choice of bands takes away, since it was meant for those before.
const fresh = { rescale: undefined, expression: undefined, bands: undefined } as const;

export class BandPicker implements Control {
  readonly element: HTMLElement;

  #style: Style = {};
  #wantsExpression = false; // though there is none yet
  #mode: ReturnType<typeof choiceOf>;
  #single: HTMLSelectElement;
  #singleField: HTMLElement;
  #three: HTMLSelectElement[];
  #threeFields: HTMLElement;
  #expression = new ExpressionBox((text) => this.#takeExpression(text));

  /** check says what the server has against an expression, before it is taken. */
  constructor(
    private readonly context: ControlContext,
    private readonly check: (style: Style) => Promise<string | undefined>,
  ) {
    this.#mode = choiceOf("bands-mode", "Bands", modesOf(context.layer), (value) => this.#choose(value as BandMode));
    const options = context.layer.bands.map((band, index) => ({ value: String(index + 1), label: bandLabel(band, index + 1) }));
    this.#single = selectOf("band-gray", options, (value) => context.change({ ...fresh, bands: [Number(value)] }));
    this.#three = channels.map((channel) => selectOf(`band-${channel.toLowerCase()}`, options, () =>
      context.change({ ...fresh, bands: this.#three.map((select) => Number(select.value)) })));
    this.#singleField = field("Band", this.#single);
    this.#threeFields = element("div", { class: "three" }, ...this.#three.map((select, index) => field(channels[index] ?? "", select)));
    this.element = element("section", {}, element("h3", {}, "Bands"), this.#mode.element,
      this.#threeFields, this.#singleField, this.#expression.element);
  }

  show(style: Style): void {
    this.#style = style;
    const { layer } = this.context;
    const mode = this.#wantsExpression ? "expression" : modeOf(layer, style);
    this.#mode.show(mode);
    this.#singleField.hidden = mode !== "single" || layer.bands.length === 1;
    this.#threeFields.hidden = mode !== "rgb";
    this.#expression.element.hidden = mode !== "expression";
    this.#expression.show(style.expression);
    const bands = style.bands ?? defaultBands(layer);
    const valueOf = (place: number) => String(bands[place] ?? bands[0] ?? 1);
    this.#single.value = valueOf(0);
    this.#three.forEach((select, place) => {
      select.value = valueOf(place);
    });
  }

  #choose(mode: BandMode): void {
    this.#wantsExpression = mode === "expression";
    if (mode === "single") {
      const [first = 1] = shownBands(this.context.layer, changed(this.#style, { expression: undefined }));
      this.context.change({ ...fresh, bands: [first] });
    } else if (mode === "rgb") {
      this.context.change({ ...fresh, colorMap: undefined, algorithm: undefined, relief: undefined });
    } else {
      this.show(this.#style);
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

function modesOf(layer: LayerDocument) {
  return [
    ...(colorBands(layer).length >= 3 ? [{ value: "rgb", label: "Three bands" }] : []),
    { value: "single", label: "One band" },
    { value: "expression", label: "Expression" },
  ];
}
