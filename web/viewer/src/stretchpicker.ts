// The controls of the stretch: its kind, its limits on a histogram, and gamma.

import { bandColor, bandLabel, bandName, ownName } from "./bands";
import type { Choices, Control, ControlContext } from "./control";
import { element, later, selectOf, type Later } from "./dom";
import type { Band, BandStatistics, LegendDocument, StatisticsDocument } from "./documents";
import { gammaSlider } from "./gammaslider";
import { bandNumbers, histogramOf, limitsOf, limitsText } from "./histogram";
import { HistogramView, type Series } from "./histogramview";
import { isSingle, pictureOf, shownBy, type Picture } from "./picture";
import { changed, type Range, type Style } from "./style";

const custom = "custom";
const automatic = "";
const liveMilliseconds = 220; // between pictures while a limit is dragged
const channels = ["Red", "Green", "Blue"] as const;

const kinds = [
  { value: automatic, label: "Default" },
  { value: custom, label: "Own limits" },
  { value: "dra", label: "Dynamic range adjustment" },
  { value: "percentile", label: "Percentiles" },
  { value: "minmax", label: "Minimum to maximum" },
  { value: "stddev", label: "Standard deviations" },
  { value: "none", label: "None (0–255)" },
];

const usualNumbers = new Map([["percentile", "2,98"], ["stddev", "2"]]);

/** The server's data about a picture. */
export interface Insights {
  readonly statistics: StatisticsDocument | undefined; // undefined while they are loading
  readonly legend: LegendDocument | undefined;
  readonly ranges: readonly Range[] | undefined; // ranges of the layer's style, if they were unknown before
  readonly problem?: string;
}

export class StretchPicker implements Control {
  readonly element: HTMLElement;

  #style: Style = {};
  #picture: Picture;
  #insights: Insights = { statistics: undefined, legend: undefined, ranges: undefined };
  #limits: Range[] = [];

  #kind = selectOf("stretch", kinds, (value) => this.#chooseKind(value));
  #numbers = element("input", { id: "stretch-numbers", type: "text", inputmode: "decimal", "aria-label": "Numbers of the stretch" });
  #histogram: HistogramView;
  #note = element("p", { class: "quiet", id: "statistics-note" });
  #link = element("input", { id: "link-bands", type: "checkbox", onchange: () => this.#joinLimits() });
  #linkField = element("label", { class: "check" }, this.#link, "Same limits for all bands");
  #gamma: Control;
  #changeLater: Later<[Choices]>;

  constructor(private readonly context: ControlContext) {
    this.#picture = pictureOf(context.layer, {});
    this.#gamma = gammaSlider(context);
    this.#changeLater = later(liveMilliseconds, context.change);
    this.#histogram = new HistogramView((limits, isDone) => this.#moveLimits(limits, isDone));
    this.#numbers.addEventListener("change", () =>
      context.change({ stretch: `${this.#kind.value}:${this.#numbers.value.replaceAll(" ", "")}` }));
    this.element = element("section", { id: "stretch-section" }, element("h3", {}, "Brightness"),
      element("label", { for: "stretch", class: "unseen" }, "Stretch"), element("span", { class: "inline" }, this.#kind, this.#numbers),
      this.#histogram.element, this.#note, this.#linkField, this.#gamma.element);
  }

  show(style: Style, picture: Picture): void {
    this.#style = style;
    this.#picture = picture;
    const [name = automatic, numbers = ""] = style.stretch?.split(":") ?? [];
    this.#kind.value = style.rescale ? custom : name;
    this.#numbers.hidden = style.rescale !== undefined || !usualNumbers.has(name);
    this.#numbers.value = numbers || (usualNumbers.get(name) ?? "");
    this.#gamma.show(style, picture);
    this.#showHistogram();
  }

  /** setInsights sets the data of the histogram. */
  setInsights(insights: Insights): void {
    this.#insights = insights;
    this.#note.textContent = insights.problem ?? (insights.statistics ? "" : "Statistics are being taken…");
    this.#note.hidden = this.#note.textContent === "";
    this.#showHistogram();
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

  #showHistogram(): void {
    const bands = this.#bandsOfHistogram();
    this.#limits = bands.map((band, place) => this.#limitsAt(this.#picture, band, place));
    this.#histogram.show(bands.map((band, place) => this.#seriesOf(band, place, bands.length)));
    this.#linkField.hidden = bands.length < 2;
    this.#showDefault(bands);
  }

  #seriesOf(band: number, place: number, count: number): Series {
    const { layer } = this.context;
    const channel = count === 3 ? channels[place] : undefined;
    const label = this.#picture.expression !== undefined ? (count > 1 ? channel ?? `Output ${band}` : "Values") : bandTitle(layer.bands[band - 1], band, channel);
    return {
      label, color: bandColor(place, count), histogram: histogramOf(this.#statisticsOf(band)),
      limits: this.#limits[place] ?? [0, 1], isWhole: /int/.test(layer.dtype) && this.#picture.expression === undefined,
    };
  }

  // The bands of the picture, or the numbers of the outputs of an expression.
  #bandsOfHistogram(): readonly number[] {
    const { statistics } = this.#insights;
    return this.#picture.expression === undefined ? this.#picture.bands : statistics ? bandNumbers(statistics) : [1];
  }

  #statisticsOf(band: number): BandStatistics | undefined {
    return this.#insights.statistics?.[`b${band}`];
  }

  #limitsAt(picture: Picture, band: number, place: number): Range {
    const { ranges, legend } = this.#insights;
    const isUsual = picture.ranges === undefined && this.#isDefault(picture);
    const isExplained = isUsual && !this.#style.rescale && !this.#style.stretch;
    const known = picture.ranges ?? (isUsual ? ranges : undefined);
    const statistics = this.#statisticsOf(band);
    return known?.[place] ?? (isExplained ? limitsOfLegend(picture, legend) : undefined)
      ?? (statistics && limitsOf(statistics, picture.stretch)) ?? [0, 1];
  }

  // #isDefault reports whether the picture has the stretch of the layer's style.
  #isDefault(picture: Picture): boolean {
    const usual = shownBy(this.context.layer, this.#style);
    return picture.stretch === usual.stretch && picture.expression === usual.expression && String(picture.bands) === String(usual.bidx ?? []);
  }

  // #showDefault shows the limits of the default stretch once they are known.
  #showDefault(bands: readonly number[]): void {
    const picture = pictureOf(this.context.layer, changed(this.#style, { rescale: undefined, stretch: undefined }));
    const isKnown = this.#insights.statistics !== undefined || picture.ranges !== undefined;
    const limits = bands.map((band, place) => this.#limitsAt(picture, band, place));
    const text = picture.stretch === "none" && limits.every(([low, high]) => low === 0 && high === 255) ? "as stored" : isKnown ? limitsText(limits) : "";
    const [option] = this.#kind.options;
    if (option) {
      option.textContent = `Default${text && ` (${text})`}`;
    }
  }

  #joinLimits(): void {
    this.#histogram.isLinked = this.#link.checked;
    if (this.#link.checked && this.#limits.length > 1) {
      const joined: Range = [Math.min(...this.#limits.map(([low]) => low)), Math.max(...this.#limits.map(([, high]) => high))];
      this.context.change({ rescale: [joined], stretch: undefined });
    }
  }

  #moveLimits(limits: readonly Range[], isDone: boolean): void {
    this.#limits = [...limits];
    const isSame = limits.every(([low, high]) => low === limits[0]?.[0] && high === limits[0][1]);
    const choices = { rescale: isSame ? limits.slice(0, 1) : limits, stretch: undefined };
    if (isDone) {
      this.#changeLater.cancel();
      this.context.change(choices);
    } else {
      this.#changeLater(choices);
    }
  }
}

// A band whose name is the color it is shown as needs no number.
function bandTitle(band: Band | undefined, number: number, channel: string | undefined): string {
  const name = bandName(band);
  return channel && name.toLowerCase() === channel.toLowerCase() ? channel : ownName(band) ? bandLabel(band, number) : `Band ${number}`;
}

// The legend of a single band has the limits of the layer's own style.
function limitsOfLegend(picture: Picture, legend: LegendDocument | undefined): Range | undefined {
  const { kind, min, max } = legend ?? {};
  const isKnown = kind === "ramp" && typeof min === "number" && typeof max === "number" && isSingle(picture);
  return isKnown ? [min, max] : undefined;
}
