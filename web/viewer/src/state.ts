// The state of the page, and its form in the address:
//
//	#layer/zoom/x/y?parameters of the style&space=pixels&split=0.5&right=other&right.colormap_name=viridis
//
// The place is longitude and latitude, or pixels of the image.

import { parametersOf, queryOf, readable, styleOf, type Pair, type Style } from "./style";

export type SpaceName = "map" | "lonlat" | "pixels";
export type SideName = "left" | "right";

export interface Side {
  readonly layer: string;
  readonly style: Style;
}

export interface Place {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

export interface State {
  readonly left: Side;
  readonly right?: Side; // the right side of a comparison
  readonly split: number; // where the divider is, from 0 to 1
  readonly space?: SpaceName; // or the layer's own best
  readonly place?: Place; // or the whole layer
}

const spaceNames: readonly string[] = ["map", "lonlat", "pixels"] satisfies SpaceName[];
const rightPrefix = "right.";
const middle = 0.5;
const farthest = 2 ** 31; // pixels, more than any image has; counting tiles farther away would not end
const farthestZoom = 64;

/** addressOf returns the fragment of the page's address for a state. */
export function addressOf(state: State): string {
  const { place } = state;
  const path = [readable(state.left.layer).replaceAll("/", "%2F")];
  if (place) {
    path.push(place.zoom.toFixed(2), ...[place.x, place.y].map((coordinate) => String(Number(coordinate.toFixed(digitsOf(state))))));
  }
  const pairs: Pair[] = [...parametersOf(state.left.style)];
  if (state.space) {
    pairs.push(["space", state.space]);
  }
  if (state.right) {
    pairs.push(["split", state.split.toFixed(2)], ["right", state.right.layer]);
    pairs.push(...parametersOf(state.right.style).map(([name, value]): Pair => [rightPrefix + name, value]));
  }
  return `#${path.join("/")}${pairs.length > 0 ? `?${queryOf(pairs)}` : ""}`;
}

/** stateOf parses what addressOf writes. It returns undefined if no layer is named. */
export function stateOf(address: string): State | undefined {
  const [path = "", query = ""] = splitOnce(address.replace(/^#/, ""), "?");
  const [layer = "", ...place] = path.split("/").map(unescaped);
  if (layer === "") {
    return undefined;
  }
  const pairs = [...new URLSearchParams(query)];
  const value = (name: string) => pairs.find((pair) => pair[0] === name)?.[1];
  const right = value("right");
  const space = value("space");
  const split = Number(value("split") ?? middle);
  return {
    left: { layer, style: styleOf(pairs) },
    ...(right && { right: { layer: right, style: styleOf(rightOf(pairs)) } }),
    split: split >= 0 && split <= 1 ? split : middle,
    ...(space && spaceNames.includes(space) && { space: space as SpaceName }),
    ...placeOf(place),
  };
}

/** withSide returns the state with one side replaced. */
export function withSide(state: State, name: SideName, side: Side): State {
  return { ...state, [name]: side };
}

function rightOf(pairs: readonly Pair[]): Pair[] {
  return pairs
    .filter(([name]) => name.startsWith(rightPrefix))
    .map(([name, value]): Pair => [name.slice(rightPrefix.length), value]);
}

function placeOf(parts: readonly string[]): { place?: Place } {
  const [zoom, x, y] = parts.map((text) => (text === "" ? NaN : Number(text)));
  if (zoom === undefined || x === undefined || y === undefined || !(Math.abs(zoom) <= farthestZoom)
    || ![x, y].every((coordinate) => Math.abs(coordinate) <= farthest)) {
    return {};
  }
  return { place: { zoom, x, y } };
}

// digitsOf returns the decimals of a coordinate: tenths of pixels, or about a meter.
function digitsOf(state: State): number {
  const isWide = state.place && (Math.abs(state.place.x) > 360 || Math.abs(state.place.y) > 90);
  return state.space === "pixels" || isWide ? 1 : 5;
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + mark.length)];
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
