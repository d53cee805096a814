// The interface of all controls of the style panel.

import type { LayerDocument } from "./documents";
import type { Picture } from "./picture";
import type { Style } from "./style";

/** Choices are new choices of the user; undefined clears a choice. */
export type Choices = { [K in keyof Style]?: Style[K] | undefined };

/** A part of the panel, built for one layer. */
export interface Control {
  readonly element: HTMLElement;
  show(style: Style, picture: Picture): void;
}

/** The layer that controls are built for, and their callbacks. */
export interface ControlContext {
  readonly layer: LayerDocument;
  readonly change: (choices: Choices) => void;
}
