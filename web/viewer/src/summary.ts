// A style in a few words.

import type { NamedStyle } from "./documents";
import { shortNumber, type Style } from "./style";
import { terrainLabel } from "./terrain";

/** summaryOf returns a short text that distinguishes styles of one layer. */
export function summaryOf(style: Style, named: readonly NamedStyle[]): string {
  const parts = [
    style.name && (named.find(({ name }) => name === style.name)?.title ?? style.name),
    style.expression,
    style.bands && `band${style.bands.length > 1 ? "s" : ""} ${style.bands.join(", ")}`,
    style.algorithm && terrainLabel(style.algorithm),
    style.colorMap,
    style.rescale ? style.rescale.map((range) => range.map(shortNumber).join("–")).join(", ") : style.stretch,
    style.gamma && `gamma ${shortNumber(style.gamma)}`,
  ];
  return parts.filter(Boolean).join(" · ");
}
