// The keys of the page, and the list of them.

import { byID, element } from "./dom";

export interface Key {
  readonly key: string; // its name in events
  readonly shown?: string; // the name for users, if it differs
  readonly does: string;
  readonly act?: () => void; // keys without one are handled by the map itself
}

/** startKeys handles keys, except in text fields. */
export function startKeys(keys: readonly Key[]): void {
  byID("help-keys").replaceChildren(...keys.map(({ key, shown, does }) =>
    element("div", {}, element("dt", {}, element("kbd", {}, shown ?? key)), element("dd", {}, does))));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyped(event.target) || byID<HTMLDialogElement>("help").open) {
      return;
    }
    const act = keys.find(({ key }) => key.toLowerCase() === event.key.toLowerCase())?.act;
    if (act) {
      event.preventDefault();
      act();
    }
  });
}

function isTyped(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName));
}
