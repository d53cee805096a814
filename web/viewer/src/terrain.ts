// What can be made of heights.

export interface Knob {
  readonly name: string; // of the parameter
  readonly label: string;
  readonly low: number;
  readonly high: number;
  readonly step: number;
  readonly usual: number; // what the server takes if nothing is said
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
  readonly showsHeights?: boolean; // themselves, under some light
  readonly hasColors?: boolean; // its numbers may be given colors
  readonly hasUnit?: boolean; // degrees or percent
}

/** noAlgorithm takes away what the layer's style makes of heights. */
export const noAlgorithm = "none";

/** terrainModes are the algorithms of the server, by their names. */
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

/** hasColors tells whether what is made of heights is numbers, which may be given colors. */
export function hasColors(algorithm: string): boolean {
  return terrainModes.get(algorithm)?.hasColors ?? false;
}

/** showsHeights tells whether a picture shows heights themselves, so that they are stretched as without an algorithm. */
export function showsHeights(algorithm: string | undefined): boolean {
  return algorithm === undefined || algorithm === noAlgorithm || (terrainModes.get(algorithm)?.showsHeights ?? false);
}

/** isShade tells whether a picture is light and shadow only, of which there is nothing to explain. */
export function isShade(algorithm: string | undefined): boolean {
  return algorithm === "hillshade" || algorithm === "multihillshade";
}

/** terrainLabel is what is made of heights, for people. */
export function terrainLabel(algorithm: string): string {
  return terrainModes.get(algorithm)?.label ?? algorithm;
}
