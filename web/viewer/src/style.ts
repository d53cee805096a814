// The style of a layer, and its parameters in requests.

export type Range = readonly [low: number, high: number];
export type Pair = readonly [name: string, value: string];

/** The user's choices. Omitted ones follow the layer's style. */
export interface Style {
  readonly name?: string; // of a style of the layer
  readonly bands?: readonly number[]; // from 1
  readonly expression?: string;
  readonly algorithm?: string; // how heights are shown
  readonly relief?: Readonly<Record<string, number | string>>; // parameters of the algorithm
  readonly rescale?: readonly Range[]; // one, or one for each band; excludes stretch
  readonly stretch?: string;
  readonly gamma?: number;
  readonly colorMap?: string;
  readonly resampling?: string;
  readonly others?: readonly Pair[]; // parameters without a control in the panel
}

// Parameters that stay as they are in an address.
const otherNames = new Set([
  "unscale", "complex", "nodata", "background", "colormap", "colormap_type", "statistics", "bands", "color_formula", "depth",
]);

/** parametersOf returns the request parameters of a style. */
export function parametersOf(style: Style): Pair[] {
  const pairs: Pair[] = [];
  const add = (name: string, value: string | undefined) => value && pairs.push([name, value]);
  add("style", style.name);
  add("bidx", style.bands?.join(","));
  add("expression", style.expression);
  add("algorithm", style.algorithm);
  if (style.algorithm && style.relief && Object.keys(style.relief).length > 0) {
    add("algorithm_params", JSON.stringify(style.relief));
  }
  style.rescale?.forEach((range) => add("rescale", range.map(shortNumber).join(",")));
  add("stretch", style.rescale ? undefined : style.stretch);
  add("colormap_name", style.colorMap);
  add("color_formula", style.gamma && style.gamma !== 1 ? `gamma RGB ${shortNumber(style.gamma)}` : undefined);
  add("resampling", style.resampling);
  return [...pairs, ...(style.others ?? [])];
}

/** styleOf parses what parametersOf writes. Invalid parameters stay, so that the server rejects them. */
export function styleOf(pairs: Iterable<Pair>): Style {
  const style: { -readonly [K in keyof Style]: Style[K] } = {};
  const rescale: Range[] = [];
  const others: Pair[] = [];
  for (const [name, value] of pairs) {
    if (value === "") {
      continue;
    }
    switch (name) {
      case "style": style.name = value; break;
      case "bidx": style.bands = [...(style.bands ?? []), ...value.split(",").map(Number).filter((band) => band >= 1)]; break;
      case "expression": style.expression = value; break;
      case "algorithm": style.algorithm = value; break;
      case "algorithm_params": style.relief = reliefOf(value); break;
      case "rescale": rescale.push(...rangeOf(value)); break;
      case "stretch": style.stretch = value; break;
      case "colormap_name": style.colorMap = value; break;
      case "resampling": style.resampling = value; break;
      default: {
        const gamma = name === "color_formula" ? /^gamma RGB ([\d.]+)$/i.exec(value)?.[1] : undefined;
        if (gamma) {
          style.gamma = Number(gamma);
        } else if (otherNames.has(name)) {
          others.push([name, value]);
        }
      }
    }
  }
  if (rescale.length > 0) {
    style.rescale = rescale;
    delete style.stretch;
  }
  if (others.length > 0) {
    style.others = others;
  }
  return style;
}

/** queryOf encodes parameters as a query, and escapes as little as possible. */
export function queryOf(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${name}=${readable(value)}`).join("&");
}

/** withQuery adds parameters to an address that may already have some. */
export function withQuery(address: string, pairs: readonly Pair[]): string {
  if (pairs.length === 0) {
    return address;
  }
  return address + (address.includes("?") ? "&" : "?") + queryOf(pairs);
}

/** readable escapes only the characters that would end a parameter or an address. */
export function readable(text: string): string {
  return encodeURIComponent(text).replace(/%(?:2C|3A|2F|40)/gi, decodeURIComponent);
}

/** changed returns a style with new choices; undefined clears one. */
export function changed(style: Style, choices: { [K in keyof Style]?: Style[K] | undefined }): Style {
  const all = Object.entries({ ...style, ...choices }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(all) as Style;
}

/** shortNumber formats a number with as many digits as matter to users. */
export function shortNumber(value: number): string {
  return String(Number(value.toPrecision(7)));
}

function rangeOf(text: string): Range[] {
  const [low, high, ...more] = text.split(",").map(Number);
  return low !== undefined && high !== undefined && more.length === 0 && Number.isFinite(low) && Number.isFinite(high)
    ? [[low, high]]
    : [];
}

function reliefOf(text: string): Record<string, number | string> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, number | string>) : {};
  } catch {
    return {};
  }
}
