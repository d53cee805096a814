// The pages of the panel, one at a time.

import { byID } from "./dom";

const names = ["layers", "style", "use"] as const;
export type TabName = (typeof names)[number];

export class Tabs {
  /** onShow receives the page that the user chose. */
  onShow: (name: TabName) => void = () => {};

  #shown: TabName = "layers";
  #scrolled: Record<TabName, number> = { layers: 0, style: 0, use: 0 };

  constructor() {
    for (const name of names) {
      byID(`tab-${name}`).addEventListener("click", () => {
        this.show(name);
        this.onShow(name);
      });
    }
    byID("tabs").addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const at = names.findIndex((name) => `tab-${name}` === (event.target as HTMLElement).id);
      if (step && at >= 0) {
        event.preventDefault();
        const tab = byID(`tab-${names.at((at + step) % names.length)}`);
        tab.focus();
        tab.click();
      }
    });
    this.show("layers");
  }

  show(shown: TabName): void {
    this.#scrolled[this.#shown] = byID("pages").scrollTop;
    this.#shown = shown;
    for (const name of names) {
      const tab = byID(`tab-${name}`);
      tab.setAttribute("aria-selected", String(name === shown));
      tab.tabIndex = name === shown ? 0 : -1;
      byID(`panel-${name}`).hidden = name !== shown;
    }
    byID("pages").scrollTop = this.#scrolled[shown];
  }
}
