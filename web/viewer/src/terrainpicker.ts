// The choice of an algorithm for heights, and of its parameters.

import type { Control, ControlContext } from "./control";
import { element, field, fillSelect, selectOf } from "./dom";
import { shownBy } from "./picture";
import { shortNumber, type Style } from "./style";
import { noAlgorithm, showsHeights, terrainModes, type Knob } from "./terrain";

// Choices that do not suit heights themselves.
const fresh = { rescale: undefined, stretch: undefined, colorMap: undefined, gamma: undefined } as const;

export function terrainPicker({ layer, change }: ControlContext): Control {
  const select = selectOf("terrain", [], (value) => {
    const keeps = showsHeights(built) && showsHeights(value || usual);
    change({ algorithm: value || undefined, relief: undefined, ...(!keeps && fresh) });
  });
  const knobs = element("div", { class: "knobs" });
  let usual: string | undefined; // of the layer's style
  let built: string | undefined;
  let relief: Style["relief"];
  let showKnobs: (() => void)[] = [];

  const set = (name: string, value: number | string | undefined) => {
    const next = Object.fromEntries(Object.entries({ ...relief, [name]: value }).filter((pair): pair is [string, number | string] => pair[1] !== undefined));
    change({ algorithm: built, relief: Object.keys(next).length > 0 ? next : undefined });
  };

  function build(name: string | undefined): void {
    built = name;
    const mode = terrainModes.get(name ?? "");
    const sliders = (mode?.knobs ?? []).map((knob) => slider(knob, () => relief?.[knob.name], (value) => set(knob.name, value)));
    const rows = sliders.map((made) => made.element);
    showKnobs = sliders.map((made) => made.show);
    if (mode?.hasUnit) {
      const unit = selectOf("terrain-unit", [{ value: "degrees", label: "degrees" }, { value: "percent", label: "percent" }],
        (value) => set("unit", value === "degrees" ? undefined : value));
      rows.push(field("Unit", unit));
      showKnobs.push(() => { unit.value = String(relief?.["unit"] ?? "degrees"); });
    }
    knobs.replaceChildren(...rows);
  }

  // The choice without a parameter is the algorithm of the layer's style, if it has one.
  function fill(): void {
    const plain = { value: usual ? noAlgorithm : "", label: "Plain heights" };
    const modes = [...terrainModes].map(([value, { label }]) => ({ value: value === usual ? "" : value, label }));
    fillSelect(select, [plain, ...modes]);
  }

  return {
    element: element("section", { id: "terrain-section" }, element("h3", {}, "Terrain"), field("Show", select), knobs),
    show: (style, { algorithm, relief: shown }) => {
      usual = shownBy(layer, style).algorithm;
      fill();
      select.value = style.algorithm ?? "";
      relief = shown;
      if (algorithm !== built) {
        build(algorithm);
      }
      showKnobs.forEach((show) => show());
    },
  };
}

function slider(knob: Knob, now: () => number | string | undefined, set: (value: number | undefined) => void) {
  const id = `terrain-${knob.name}`;
  const output = element("output", { for: id });
  const input = element("input", { id, type: "range", min: knob.low, max: knob.high, step: knob.step });
  const showValue = () => { output.textContent = `${shortNumber(Number(input.value))}${/^[a-z]/.test(knob.unit) ? " " : ""}${knob.unit}`; };
  input.addEventListener("input", showValue);
  input.addEventListener("change", () => set(Number(input.value) === knob.usual ? undefined : Number(input.value)));
  return {
    element: field(knob.label, input, output),
    show: () => {
      input.value = String(now() ?? knob.usual);
      showValue();
    },
  };
}
