// The choice between map and pixels.

import { byID, choiceOf } from "./dom";
import type { LayerDocument } from "./documents";
import { spaceLabels, spacesOf } from "./space";
import type { SpaceName } from "./state";

/** showSpaces offers the spaces that a layer can be shown in. */
export function showSpaces(layer: LayerDocument, shown: SpaceName, choose: (name: SpaceName) => void): void {
  const names = spacesOf(layer);
  const choice = choiceOf("space", "Space", names.map((value) => ({ value, label: spaceLabels[value] })), (value) => choose(value as SpaceName));
  choice.show(shown);
  const focused = document.activeElement?.id;
  byID("spaces").replaceChildren(choice.element);
  byID("spaces").hidden = names.length < 2;
  if (focused?.startsWith("space-")) {
    document.getElementById(focused)?.focus();
  }
}
