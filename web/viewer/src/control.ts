// What the parts of the style panel have in common.

import type { LayerDocument } from "./documents";
import type { Picture } from "./picture";
import type { Style } from "./style";

/** Choices are what a person chose anew; undefined takes a choice back. */
export type Choices = { [K in keyof Style]?: Style[K] | undefined };

/** A part of the panel, made for one layer. */
export interface Control {
  readonly element: HTMLElement;
  show(style: Style, picture: Picture): void;
}

/** What controls are made for, and whom they tell. */
export interface ControlContext {
  readonly layer: LayerDocument;
  readonly change: (choices: Choices) => void;
}
