// What is made of heights, and how.

import type { Control, ControlContext } from "./control";
import { element, field, selectOf } from "./dom";
import { shortNumber, type Style } from "./style";

interface Knob {
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
const increment: Knob = { name: "increment", label: "Every", low: 1, high: 500, step: 1, usual: 35, unit: "" };
const thickness: Knob = { name: "thickness", label: "Thickness", low: 0.5, high: 8, step: 0.5, usual: 1, unit: "px" };

const modes = new Map<string, { label: string; knobs: readonly Knob[] }>([
  ["hillshade", { label: "Hillshade", knobs: [azimuth, altitude, exaggeration] }],
  ["multihillshade", { label: "Hillshade from four sides", knobs: [altitude, exaggeration] }],
  ["slope", { label: "Slope", knobs: [exaggeration] }],
  ["aspect", { label: "Aspect", knobs: [] }],
  ["contours", { label: "Contour lines", knobs: [increment, thickness] }],
  ["terrainrgb", { label: "Coded heights: Terrain-RGB", knobs: [] }],
  ["terrarium", { label: "Coded heights: Terrarium", knobs: [] }],
]);

/** hasColors tells whether what is made of heights is values, which may be given colours. */
export function hasColors(algorithm: string): boolean {
  return algorithm === "slope" || algorithm === "aspect";
}

/** terrainLabel is what is made of heights, for people. */
export function terrainLabel(algorithm: string): string {
  return modes.get(algorithm)?.label ?? algorithm;
}

export function terrainPicker({ change }: ControlContext): Control {
  const heights = { value: "", label: "Heights as they are" };
  const options = [heights, ...[...modes].map(([value, { label }]) => ({ value, label }))];
  const select = selectOf("terrain", options, (value) =>
    change({ algorithm: value || undefined, relief: undefined, rescale: undefined, stretch: undefined, colorMap: undefined, gamma: undefined }));
  const knobs = element("div", { class: "knobs" });
  let built: string | undefined;
  let relief: Style["relief"];
  let showKnobs: (() => void)[] = [];

  const set = (name: string, value: number | string | undefined) => {
    const next = Object.fromEntries(Object.entries({ ...relief, [name]: value }).filter((pair): pair is [string, number | string] => pair[1] !== undefined));
    change({ relief: Object.keys(next).length > 0 ? next : undefined });
  };

  function build(mode: string | undefined): void {
    built = mode;
    const sliders = (modes.get(mode ?? "")?.knobs ?? []).map((knob) => slider(knob, () => relief?.[knob.name], (value) => set(knob.name, value)));
    const rows = sliders.map((made) => made.element);
    showKnobs = sliders.map((made) => made.show);
    if (mode === "slope") {
      const unit = selectOf("terrain-unit", [{ value: "degrees", label: "degrees" }, { value: "percent", label: "percent" }],
        (value) => set("unit", value === "degrees" ? undefined : value));
      rows.push(field("Unit", unit));
      showKnobs.push(() => { unit.value = String(relief?.["unit"] ?? "degrees"); });
    }
    knobs.replaceChildren(...rows);
  }

  return {
    element: element("section", { id: "terrain-section" }, element("h3", {}, "Terrain"), field("Show", select), knobs),
    show: (style) => {
      select.value = style.algorithm ?? "";
      relief = style.relief;
      if (style.algorithm !== built) {
        build(style.algorithm);
      }
      showKnobs.forEach((show) => show());
    },
  };
}

function slider(knob: Knob, now: () => number | string | undefined, set: (value: number | undefined) => void) {
  const id = `terrain-${knob.name}`;
  const output = element("output", { for: id });
  const input = element("input", { id, type: "range", min: knob.low, max: knob.high, step: knob.step });
  const tell = () => { output.textContent = `${shortNumber(Number(input.value))}${knob.unit && ` ${knob.unit}`}`; };
  input.addEventListener("input", tell);
  input.addEventListener("change", () => set(Number(input.value) === knob.usual ? undefined : Number(input.value)));
  return {
    element: field(knob.label, input, output),
    show: () => {
      input.value = String(now() ?? knob.usual);
      tell();
    },
  };
}
