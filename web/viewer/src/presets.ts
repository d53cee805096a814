// Popular pictures of bands whose colors are known by name or wavelength.

import { bandNamed, colorBands } from "./bands";
import type { Choices } from "./control";
import type { Band, LayerDocument, Shown } from "./documents";
import type { Style } from "./style";

export interface Preset {
  readonly id: string;
  readonly label: string;
  readonly title: string; // its purpose, for users
  readonly expression?: string; // the expression that it shows
  readonly choices: Choices;
}

// Names and wavelengths in nanometers. The server uses the same ones for red, green and blue.
const kinds = {
  red: { name: /^(red|b04)$/i, from: 610, to: 710 },
  green: { name: /^(green|b03)$/i, from: 482.5, to: 582.5 },
  blue: { name: /^(blue|b02)$/i, from: 422.5, to: 522.5 },
  infrared: { name: /^(nir|near[ -_]?infra[ -_]?red|b08)\b/i, from: 760, to: 900 },
} as const;

type Kind = keyof typeof kinds;

// The parameters that a preset clears.
const fresh = {
  name: undefined, bands: undefined, expression: undefined, algorithm: undefined, relief: undefined,
  rescale: undefined, stretch: undefined, colorMap: undefined, gamma: undefined,
} as const;

/** presetsOf returns the presets for which a layer has the bands. */
export function presetsOf(layer: LayerDocument): Preset[] {
  const [red, green, blue, infrared] = bandsOf(layer);
  if (red === undefined || green === undefined || blue === undefined || infrared === undefined) {
    return [];
  }
  const natural = [red, green, blue];
  const isUsual = layer.default?.mode === "rgb" && String(layer.default.bidx) === String(natural);
  return [
    { id: "natural", label: "Natural color", title: "As eyes see it", choices: { ...fresh, ...(!isUsual && { bands: natural }) } },
    { id: "infrared", label: "False color", title: "Infrared shown as red: plants are red", ...preferOwnStyle(layer, { bands: [infrared, red, green] }) },
    { id: "ndvi", label: "NDVI", title: "How green plants are",
      ...preferOwnStyle(layer, { expression: indexOf(infrared, red), rescale: [[-0.2, 0.6]], colorMap: "rdylgn" }) },
    { id: "ndwi", label: "NDWI", title: "Where water is",
      ...preferOwnStyle(layer, { expression: indexOf(green, infrared), rescale: [[-0.8, 0.8]], colorMap: "brbg" }) },
  ];
}

/** exampleExpression returns an expression that suits the layer's bands. */
export function exampleExpression(layer: LayerDocument): string {
  const [red, , , infrared] = bandsOf(layer);
  if (red !== undefined && infrared !== undefined) {
    return indexOf(infrared, red);
  }
  const [first = 1, second] = colorBands(layer);
  return second === undefined ? `b${first}*2` : `(b${first}+b${second})/2`;
}

/** isChosen reports whether a style is that of a preset. */
export function isChosen({ choices }: Preset, style: Style): boolean {
  return Object.entries(choices).every(([name, value]) => JSON.stringify(style[name as keyof Style]) === JSON.stringify(value));
}

function indexOf(a: number, b: number): string {
  return `(b${a}-b${b})/(b${a}+b${b})`;
}

// preferOwnStyle chooses the style of the layer that shows the same bands or the same numbers, if there is one: it may have
// colors and limits of its own, and one name should not have two looks.
function preferOwnStyle(layer: LayerDocument, choices: Choices): Pick<Preset, "choices" | "expression"> {
  const isSame = ({ bidx, expression, algorithm }: Shown) => !algorithm && (choices.expression === undefined
    ? expression === undefined && String(bidx) === String(choices.bands)
    : expression !== undefined && inNumbers(layer, expression) === choices.expression);
  const own = layer.styles.find(({ shows }) => shows && isSame(shows));
  return {
    choices: { ...fresh, ...(own ? { name: own.name } : choices) },
    ...(choices.expression && { expression: choices.expression }),
  };
}

// inNumbers returns the expression with b1 in place of the name of the first band, and so on.
function inNumbers(layer: LayerDocument, expression: string): string {
  return expression.replaceAll(" ", "").replace(/[a-z_]\w*/gi, (name) => {
    const band = bandNamed(layer, name);
    return band === undefined ? name : `b${band}`;
  });
}

function bandsOf(layer: LayerDocument): (number | undefined)[] {
  return (["red", "green", "blue", "infrared"] as const).map((kind) => bandOf(layer, kind));
}

// If several bands match, the one that the server shows as this color wins.
function bandOf(layer: LayerDocument, kind: Kind): number | undefined {
  const usual = layer.bands[(layer.default?.bidx?.[["red", "green", "blue"].indexOf(kind)] ?? 0) - 1];
  return usual && isKind(usual, kind) ? usual.index : layer.bands.find((band) => isKind(band, kind))?.index;
}

function isKind(band: Band, kind: Kind): boolean {
  const { name, from, to } = kinds[kind];
  const wavelength = band.wavelength ?? 0;
  return band.color === kind || name.test((band.name ?? "").trim()) || (wavelength >= from && wavelength <= to);
}
