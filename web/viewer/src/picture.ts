// What a picture shows: what the server tells of a style of the layer, and what a person chose otherwise.

import { bandNamed, colorBands, ownName } from "./bands";
import type { LayerDocument, Shown } from "./documents";
import { presetsOf } from "./presets";
import type { Range, Style } from "./style";
import { hasColors, noAlgorithm, showsHeights, terrainLabel } from "./terrain";

export interface Picture {
  readonly bands: readonly number[]; // from 1; none for an expression
  readonly expression?: string;
  readonly algorithm?: string;
  readonly colorMap?: string;
  readonly stretch: string; // as the server takes it
  readonly ranges: readonly Range[] | undefined; // black and white of each band, as far as they are known
  readonly mode: Shown["mode"];
}

export type BandMode = "rgb" | "single" | "expression";

const defaultStyle = "default";
const heightColors = "hypsometric"; // of shaded relief if nothing else is said
const dynamicRange = "dra";

/** shownBy is what the server tells of the style of a layer that a person began with. */
export function shownBy(layer: LayerDocument, style: Style): Shown {
  const named = layer.styles.find(({ name }) => name === (style.name ?? defaultStyle));
  return named?.shows ?? layer.default ?? { mode: "gray", bidx: colorBands(layer).slice(0, 1), stretch: dynamicRange, rescale: null, resampling: "bilinear" };
}

/** pictureOf is what a layer shows in a style. It follows the server in what one choice takes away from another. */
export function pictureOf(layer: LayerDocument, style: Style, base: Shown = shownBy(layer, style)): Picture {
  const bands = style.bands ?? bandsByName(layer, style);
  const expression = style.expression ?? (bands ? undefined : base.expression);
  const shown = expression === undefined ? bands ?? base.bidx ?? [] : [];
  const algorithm = style.algorithm ?? base.algorithm;
  const hasSameHeights = algorithm === base.algorithm || (showsHeights(algorithm) && showsHeights(base.algorithm));
  const isSame = !bands && style.expression === undefined && hasSameHeights;
  const outputs = expression?.split(";").length ?? shown.length;
  const colorMap = style.colorMap ?? (outputs > 1 ? undefined : colorsOf(algorithm, isSame || bands ? base : undefined));
  const picture = {
    bands: shown, ...(expression !== undefined && { expression }),
    ...(algorithm && algorithm !== noAlgorithm && { algorithm }), ...(colorMap && { colorMap }),
    ...stretchOf(style, base, isSame, outputs),
  };
  return { ...picture, mode: modeOfColors(layer, style, base, picture, outputs) };
}

/** bandMode is how bands become a picture. */
export function bandMode({ expression, bands }: Picture): BandMode {
  return expression !== undefined ? "expression" : bands.length === 1 ? "single" : "rgb";
}

/** isSingle tells whether one number a pixel is shown, which may be given colors. */
export function isSingle({ expression, bands }: Picture): boolean {
  return expression !== undefined ? !expression.includes(";") : bands.length === 1;
}

/** hasLegend tells whether colors have a meaning that is worth a legend: more than three bands or light and shadow have. */
export function hasLegend(picture: Picture): boolean {
  return isSingle(picture) && (picture.algorithm === undefined || hasColors(picture.algorithm));
}

/** headingOf says in a few words what numbers a picture shows. It is empty if that is no more than the layer's title says. */
export function headingOf(layer: LayerDocument, { expression, algorithm, bands }: Picture): string {
  const [band] = bands;
  const preset = expression && presetsOf(layer).find(({ choices }) => choices.expression === expression)?.label;
  const number = band !== undefined && colorBands(layer).length > 1 && `Band ${band}`;
  const name = band !== undefined && ownName(layer.bands[band - 1]);
  return [algorithm && terrainLabel(algorithm), preset || expression, number, name].filter(Boolean).join(" · ");
}

// Names that an address has in place of numbers.
function bandsByName(layer: LayerDocument, style: Style): number[] | undefined {
  const names = style.others?.filter(([name]) => name === "bands").flatMap(([, value]) => value.split(","));
  const bands = names?.map((name) => bandNamed(layer, name));
  return bands?.length && bands.every((band) => band !== undefined) ? bands : undefined;
}

// The colors that a style of the layer has, and those that come and go with shaded relief.
function colorsOf(algorithm: string | undefined, base: Shown | undefined): string | undefined {
  const own = base?.colormap_name;
  return algorithm === "relief" ? own ?? heightColors : own === heightColors && base?.algorithm === "relief" ? undefined : own;
}

// Ranges of a style that was asked for by its numbers go on for other bands if they are alike.
function stretchOf(style: Style, base: Shown, isSame: boolean, outputs: number): Pick<Picture, "stretch" | "ranges"> {
  if (style.rescale) {
    return { stretch: "none", ranges: Array.from({ length: outputs }, (_, place) => style.rescale?.[place] ?? style.rescale?.[0] ?? [0, 1]) };
  }
  if (style.stretch) {
    return { stretch: style.stretch, ranges: undefined };
  }
  if (isSame) {
    return { stretch: base.stretch, ranges: base.rescale ?? undefined };
  }
  const [first] = base.rescale ?? [];
  const isFixed = base.stretch === "none" && style.expression === undefined && base.mode !== "terrain";
  if (isFixed && first && base.rescale?.every(([low, high]) => low === first[0] && high === first[1])) {
    return { stretch: "none", ranges: Array.from({ length: outputs }, () => first) };
  }
  return { stretch: base.stretch === "none" ? dynamicRange : base.stretch, ranges: undefined };
}

function modeOfColors(layer: LayerDocument, style: Style, base: Shown, picture: Omit<Picture, "mode">, outputs: number): Shown["mode"] {
  const { algorithm, colorMap, expression, bands: [band] } = picture;
  if (algorithm || outputs > 1 || colorMap) {
    return algorithm ? "terrain" : outputs > 1 ? "rgb" : "colormap";
  }
  const isStretched = style.rescale !== undefined || (style.stretch ?? "none") !== "none";
  if (expression === undefined && layer.bands[(band ?? 1) - 1]?.role === "palette" && !isStretched) {
    return "palette";
  }
  const hasOwnColors = !base.colormap_name && (base.mode === "classes" || base.mode === "colormap");
  return style.others?.some(([name]) => name === "colormap") ? "classes" : hasOwnColors && style.expression === undefined ? base.mode : "gray";
}
