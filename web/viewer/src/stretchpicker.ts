// How samples become bright: the kind of stretch, its limits on histograms, and gamma.

import { bandColor, bandLabel, shownBands } from "./bands";
import type { Choices, Control, ControlContext } from "./control";
import { element, field, later, selectOf } from "./dom";
import type { BandStatistics, LegendDocument, StatisticsDocument } from "./documents";
import { gammaSlider } from "./gammaslider";
import { bandNumbers, histogramOf, limitsOf } from "./histogram";
import { HistogramView } from "./histogramview";
import type { Range, Style } from "./style";

const custom = "custom";
const automatic = "";
const liveMilliseconds = 220; // between pictures while a limit is dragged

const kinds = [
  { value: automatic, label: "As the layer has it" },
  { value: custom, label: "Own limits" },
  { value: "dra", label: "Dynamic range (dra)" },
  { value: "percentile", label: "Percentiles" },
  { value: "minmax", label: "Least to greatest" },
  { value: "stddev", label: "Standard deviations" },
  { value: "none", label: "None: 0 to 255" },
];

const usualNumbers = new Map([["percentile", "2,98"], ["stddev", "2"]]);

export class StretchPicker implements Control {
  readonly element: HTMLElement;

  #style: Style = {};
  #statistics: StatisticsDocument | undefined;
  #legend: LegendDocument | undefined;
  #bands: readonly number[] = []; // of the histograms
  #limits: Range[] = [];
  #views: HistogramView[] = [];

  #kind = selectOf("stretch", kinds, (value) => this.#chooseKind(value));
  #numbers = element("input", { id: "stretch-numbers", type: "text", inputmode: "decimal", "aria-label": "Numbers of the stretch" });
  #histograms = element("div", { id: "histograms", class: "histograms" });
  #note = element("p", { class: "quiet", id: "statistics-note" });
  #link = element("input", { id: "link-bands", type: "checkbox" });
  #linkField = element("label", { class: "check" }, this.#link, "Same limits for all bands");
  #gamma: Control;
  #changeLater: (choices: Choices) => void;

  constructor(private readonly context: ControlContext) {
    this.#gamma = gammaSlider(context);
    this.#changeLater = later(liveMilliseconds, context.change);
    this.#numbers.addEventListener("change", () =>
      context.change({ stretch: `${this.#kind.value}:${this.#numbers.value.replaceAll(" ", "")}` }));
    this.element = element("section", { id: "stretch-section" }, element("h3", {}, "Brightness"),
      field("Stretch", element("span", { class: "inline" }, this.#kind, this.#numbers)),
      this.#histograms, this.#note, this.#linkField, this.#gamma.element);
  }

  show(style: Style): void {
    this.#style = style;
    const [name = automatic, numbers = ""] = style.stretch?.split(":") ?? [];
    this.#kind.value = style.rescale ? custom : name;
    this.#numbers.hidden = style.rescale !== undefined || !usualNumbers.has(name);
    this.#numbers.value = numbers || (usualNumbers.get(name) ?? "");
    this.#gamma.show(style);
    this.#showHistograms();
  }

  /** tell brings what the histograms show; undefined while it is on its way. */
  tell(statistics: StatisticsDocument | undefined, legend: LegendDocument | undefined, problem?: string): void {
    this.#statistics = statistics;
    this.#legend = legend;
    this.#note.textContent = problem ?? (statistics ? "" : "Statistics are being taken…");
    this.#note.hidden = this.#note.textContent === "";
    this.#showHistograms();
  }

  #chooseKind(value: string): void {
    if (value === custom) {
      this.context.change({ rescale: this.#limits.length > 0 ? this.#limits : [[0, 255]], stretch: undefined });
      return;
    }
    const numbers = usualNumbers.get(value);
    const stretch = numbers ? `${value}:${numbers}` : value;
    this.context.change({ rescale: undefined, stretch: value === automatic ? undefined : stretch });
  }

  #showHistograms(): void {
    this.#makeHistograms();
    this.#limits = this.#bands.map((_, place) => this.#limitsAt(place));
    this.#views.forEach((view, place) => view.show(histogramOf(this.#statisticsAt(place)), this.#limits[place] ?? [0, 1]));
    this.#linkField.hidden = this.#bands.length < 2;
  }

  #makeHistograms(): void {
    const bands = this.#bandsOfPicture();
    if (bands.join() === this.#bands.join()) {
      return;
    }
    const { layer } = this.context;
    const isExpression = this.#style.expression !== undefined;
    this.#bands = bands;
    this.#views = bands.map((band, place) => new HistogramView({
      id: `histogram-${place + 1}`,
      label: isExpression ? `output ${band}` : bandLabel(layer.bands[band - 1], band),
      color: bandColor(place, bands.length),
      isWhole: /int/.test(layer.dtype) && !isExpression,
      onMove: (to, isDone) => this.#moveLimits(place, to, isDone),
    }));
    this.#histograms.replaceChildren(...this.#views.map((view) => view.element));
  }

  // The bands shown, in the order of the style, where it tells.
  #bandsOfPicture(): readonly number[] {
    const { name, bands, expression } = this.#style;
    const known = this.#statistics ? bandNumbers(this.#statistics) : [];
    const isTold = expression === undefined && (name === undefined || bands !== undefined);
    const wanted = isTold ? shownBands(this.context.layer, this.#style).filter((band) => known.includes(band)) : [];
    return wanted.length > 0 ? wanted : known;
  }

  #statisticsAt(place: number): BandStatistics | undefined {
    return this.#statistics?.[`b${this.#bands[place]}`];
  }

  #limitsAt(place: number): Range {
    const { rescale, stretch, expression } = this.#style;
    const given = rescale?.length === 1 ? rescale[0] : rescale?.[place];
    const band = this.#statisticsAt(place);
    const usual = this.context.layer.dtype === "uint8" && expression === undefined ? "none" : "dra";
    return given ?? (stretch ? undefined : this.#limitsOfLegend()) ?? (band && limitsOf(band, stretch ?? usual)) ?? [0, 1];
  }

  // The legend of a single band knows what the layer's own style makes of it.
  #limitsOfLegend(): Range | undefined {
    const { kind, min, max } = this.#legend ?? {};
    const isKnown = kind === "ramp" && typeof min === "number" && typeof max === "number" && this.#bands.length === 1;
    return isKnown ? [min, max] : undefined;
  }

  #moveLimits(place: number, to: Range, isDone: boolean): void {
    this.#limits = this.#limits.map((range, at) => (this.#link.checked || at === place ? to : range));
    this.#views.forEach((view, at) => at !== place && view.show(histogramOf(this.#statisticsAt(at)), this.#limits[at] ?? to));
    const isSame = this.#limits.every(([low, high]) => low === to[0] && high === to[1]);
    const choices = { rescale: isSame ? [to] : this.#limits, stretch: undefined };
    this.#changeLater(choices); // also in place of what was to come later
    if (isDone) {
      this.context.change(choices);
    }
  }
}
