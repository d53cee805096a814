// A bar of a round length, to judge distances by.

const longest = 120; // pixels

// drawScale makes an element as long as a round number of units, and writes the number on it.
export function drawScale(element, unitsPerPixel, unit) {
  const most = unitsPerPixel * longest;
  const power = 10 ** Math.floor(Math.log10(most));
  const length = [5, 2, 1].find((digit) => digit * power <= most) * power;
  element.style.width = `${length / unitsPerPixel}px`;
  element.textContent = unit === "m" && length >= 1000 ? `${length / 1000} km` : `${Number(length.toPrecision(1))} ${unit}`;
}
