// The content of a picture: the server's description of a style, with the user's choices applied.

import { bandNamed, colorBands, ownName } from "./bands";
import type { LayerDocument, Shown } from "./documents";
import { presetsOf } from "./presets";
import type { Range, Style } from "./style";
import { hasColors, noAlgorithm, showsHeights, terrainLabel } from "./terrain";

export interface Picture {
  readonly bands: readonly number[]; // from 1; none for an expression
  readonly expression?: string;
  readonly algorithm?: string;
  readonly relief?: Style["relief"]; // parameters of the algorithm
  readonly colorMap?: string;
  readonly stretch: string; // the value of the parameter
  readonly ranges: readonly Range[] | undefined; // black and white of each band, as far as they are known
  readonly mode: Shown["mode"];
  readonly hasFixedColors: boolean; // colors of the samples themselves, never stretched
}

export type BandMode = "rgb" | "single" | "expression";

const defaultStyle = "default";
const heightColors = "hypsometric"; // default color map of shaded relief
const dynamicRange = "dra";

/** shownBy returns the server's description of the layer's style that the choices start from. */
export function shownBy(layer: LayerDocument, style: Style): Shown {
  const named = layer.styles.find(({ name }) => name === (style.name ?? defaultStyle));
  return named?.shows ?? layer.default ?? { mode: "gray", bidx: colorBands(layer).slice(0, 1), stretch: dynamicRange, rescale: null, resampling: "bilinear" };
}

/** pictureOf returns what a layer shows in a style. It has the server's rules for choices that override others. */
export function pictureOf(layer: LayerDocument, style: Style, base: Shown = shownBy(layer, style)): Picture {
  const bands = style.bands ?? bandsByName(layer, style);
  const expression = style.expression ?? (bands ? undefined : base.expression);
  const shown = expression === undefined ? bands ?? base.bidx ?? [] : [];
  const algorithm = style.algorithm ?? base.algorithm;
  const relief = style.algorithm === undefined ? base.algorithm_params : style.relief;
  const hasSameHeights = algorithm === base.algorithm || (showsHeights(algorithm) && showsHeights(base.algorithm));
  const outputs = expression?.split(";").length ?? shown.length;
  const keepsColors = hasSameHeights && style.expression === undefined && outputs === 1 && !style.colorMap;
  const colorMap = style.colorMap ?? colorsOf(algorithm, base, keepsColors);
  const isSame = hasSameHeights && !bands && style.expression === undefined;
  const picture = {
    bands: shown, ...(expression !== undefined && { expression }),
    ...(algorithm && algorithm !== noAlgorithm && { algorithm, ...(relief && { relief }) }), ...(colorMap && { colorMap }),
    ...stretchOf(layer, style, base, { isSame, outputs }),
  };
  const mode = modeOf(layer, style, picture, keepsColors && hasOwnColors(base) ? base.mode : outputs > 1 ? "rgb" : "gray");
  const isUnstretched = keepsColors && hasOwnColors(base) && base.stretch === "none" && base.rescale === null;
  return { ...picture, mode, hasFixedColors: isUnstretched || mode === "palette" || mode === "classes" };
}

/** bandMode returns how bands become a picture. */
export function bandMode({ expression, bands }: Picture): BandMode {
  return expression !== undefined ? "expression" : bands.length === 1 ? "single" : "rgb";
}

/** isSingle reports whether the picture shows one number per pixel, which can take a color map. */
export function isSingle({ expression, bands }: Picture): boolean {
  return expression !== undefined ? !expression.includes(";") : bands.length === 1;
}

/** hasLegend reports whether colors have a meaning that is worth a legend: more than three bands or light and shadow have. */
export function hasLegend(picture: Picture): boolean {
  return isSingle(picture) && (picture.algorithm === undefined || hasColors(picture.algorithm));
}

/** headingOf names the numbers that a picture shows. It is empty if the layer's title says as much. */
export function headingOf(layer: LayerDocument, style: Style, { expression, algorithm, bands: [band] }: Picture): string {
  const named = layer.styles.find(({ name }) => name === style.name);
  if (named && !style.bands && !style.expression && !style.algorithm) {
    return named.title;
  }
  const preset = expression && presetsOf(layer).find((preset) => preset.expression === expression)?.label;
  const number = band !== undefined && colorBands(layer).length > 1 && `Band ${band}`;
  const name = band !== undefined && ownName(layer.bands[band - 1]);
  return [algorithm && terrainLabel(algorithm), preset || expression, number, name].filter(Boolean).join(" · ");
}

// The band names in an address.
function bandsByName(layer: LayerDocument, style: Style): number[] | undefined {
  const names = style.others?.filter(([name]) => name === "bands").flatMap(([, value]) => value.split(","));
  const bands = names?.map((name) => bandNamed(layer, name));
  return bands?.length && bands.every((band) => band !== undefined) ? bands : undefined;
}

// hasOwnColors reports whether a style of the layer has a color map without a name.
function hasOwnColors({ mode, algorithm, colormap_name: name }: Shown): boolean {
  return !name && (mode === "colormap" || mode === "classes" || (algorithm !== undefined && hasColors(algorithm) && showsHeights(algorithm)));
}

// The colors of a style of the layer, and those that shaded relief adds.
function colorsOf(algorithm: string | undefined, base: Shown, keepsOwn: boolean): string | undefined {
  const own = keepsOwn ? base.colormap_name : undefined;
  if (algorithm === "relief") {
    return own ?? (keepsOwn && hasOwnColors(base) ? undefined : heightColors);
  }
  return own === heightColors && base.algorithm === "relief" ? undefined : own;
}

// The fixed ranges of a style carry over to other bands if they are all equal.
function stretchOf(layer: LayerDocument, style: Style, base: Shown, { isSame, outputs }: { isSame: boolean; outputs: number }): Pick<Picture, "stretch" | "ranges"> {
  if (style.rescale) {
    return { stretch: "none", ranges: Array.from({ length: outputs }, (_, place) => style.rescale?.[place] ?? style.rescale?.[0] ?? [0, 1]) };
  }
  if (style.stretch) {
    return { stretch: style.stretch, ranges: undefined };
  }
  const [first] = base.rescale ?? [];
  const isStretched = base.stretch !== "none" || first !== undefined;
  if (isSame && (isStretched || !style.colorMap)) {
    return { stretch: base.stretch, ranges: base.rescale ?? undefined };
  }
  const isFixed = base.stretch === "none" && style.expression === undefined && base.mode !== "terrain";
  if (isFixed && first && base.rescale?.every(([low, high]) => low === first[0] && high === first[1])) {
    return { stretch: "none", ranges: Array.from({ length: outputs }, () => first) };
  }
  const isReady = layer.dtype === "uint8" && style.expression === undefined && [1, 3, 4].includes(colorBands(layer).length);
  return { stretch: base.stretch !== "none" ? base.stretch : isReady ? "none" : dynamicRange, ranges: undefined };
}

// The mode of a picture. If the user chose none, it is usual.
function modeOf(layer: LayerDocument, style: Style, picture: Pick<Picture, "bands" | "algorithm" | "colorMap" | "expression">, usual: Shown["mode"]): Shown["mode"] {
  const { algorithm, colorMap, expression, bands: [band] } = picture;
  if (algorithm || colorMap || usual === "rgb") {
    return algorithm ? "terrain" : colorMap ? "colormap" : usual;
  }
  const isStretched = style.rescale !== undefined || (style.stretch ?? "none") !== "none";
  if (expression === undefined && layer.bands[(band ?? 1) - 1]?.role === "palette" && !isStretched) {
    return "palette";
  }
  const isPlain = usual === "terrain" || usual === "palette";
  return style.others?.some(([name]) => name === "colormap") ? "classes" : isPlain ? "colormap" : usual;
}
