// The slider of gamma, which brightens or darkens the middle tones.

import type { Control, ControlContext } from "./control";
import { element, field } from "./dom";
import { shortNumber } from "./style";

/** gammaSlider returns a slider of powers of two, so that 1 is in the middle. */
export function gammaSlider({ change }: ControlContext): Control {
  const output = element("output", { for: "gamma" });
  const input = element("input", { id: "gamma", type: "range", min: -2, max: 2, step: 0.05 });
  const gamma = () => Number((2 ** Number(input.value)).toFixed(2));
  const showValue = () => {
    output.textContent = shortNumber(gamma());
    input.setAttribute("aria-valuetext", output.textContent);
  };
  input.addEventListener("input", showValue);
  input.addEventListener("change", () => change({ gamma: gamma() === 1 ? undefined : gamma() }));
  return {
    element: field("Gamma", input, output),
    show: (style) => {
      input.value = String(Math.log2(style.gamma ?? 1));
      showValue();
    },
  };
}
