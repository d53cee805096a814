// The algorithms for heights, and their parameters.

export interface Knob {
  readonly name: string; // of the parameter
  readonly label: string;
  readonly low: number;
  readonly high: number;
  readonly step: number;
  readonly usual: number; // the server's default
  readonly unit: string;
}

const azimuth: Knob = { name: "azimuth", label: "Light from", low: 0, high: 360, step: 5, usual: 315, unit: "°" };
const altitude: Knob = { name: "angle_altitude", label: "Light height", low: 5, high: 90, step: 1, usual: 45, unit: "°" };
const exaggeration: Knob = { name: "z_exaggeration", label: "Exaggeration", low: 0.1, high: 10, step: 0.1, usual: 1, unit: "×" };
const increment: Knob = { name: "increment", label: "Every", low: 1, high: 500, step: 1, usual: 35, unit: "m" };
const thickness: Knob = { name: "thickness", label: "Thickness", low: 0.5, high: 8, step: 0.5, usual: 1, unit: "px" };

export interface TerrainMode {
  readonly label: string;
  readonly knobs: readonly Knob[];
  readonly showsHeights?: boolean; // it shows the heights themselves, shaded
  readonly hasColors?: boolean; // its numbers can take a color map
  readonly hasUnit?: boolean; // degrees or percent
}

/** noAlgorithm turns off the algorithm of the layer's style. */
export const noAlgorithm = "none";

/** terrainModes holds the algorithms of the server, by name. */
export const terrainModes: ReadonlyMap<string, TerrainMode> = new Map<string, TerrainMode>([
  ["relief", { label: "Shaded relief", knobs: [azimuth, altitude, exaggeration], hasColors: true, showsHeights: true }],
  ["hillshade", { label: "Hillshade", knobs: [azimuth, altitude, exaggeration] }],
  ["multihillshade", { label: "Hillshade from four sides", knobs: [altitude, exaggeration] }],
  ["slope", { label: "Slope", knobs: [exaggeration], hasColors: true, hasUnit: true }],
  ["aspect", { label: "Aspect", knobs: [], hasColors: true }],
  ["contours", { label: "Contour lines", knobs: [increment, thickness] }],
  ["terrainrgb", { label: "Heights as Terrain-RGB", knobs: [] }],
  ["terrarium", { label: "Heights as Terrarium", knobs: [] }],
]);

/** hasColors reports whether an algorithm's results are numbers, which can take a color map. */
export function hasColors(algorithm: string): boolean {
  return terrainModes.get(algorithm)?.hasColors ?? false;
}

/** showsHeights reports whether a picture shows heights themselves, stretched as without an algorithm. */
export function showsHeights(algorithm: string | undefined): boolean {
  return algorithm === undefined || algorithm === noAlgorithm || (terrainModes.get(algorithm)?.showsHeights ?? false);
}

/** isShade reports whether a picture is light and shadow only, which needs no legend. */
export function isShade(algorithm: string | undefined): boolean {
  return algorithm === "hillshade" || algorithm === "multihillshade";
}

/** terrainLabel returns the name of an algorithm for users. */
export function terrainLabel(algorithm: string): string {
  return terrainModes.get(algorithm)?.label ?? algorithm;
}
