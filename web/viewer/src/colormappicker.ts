// The list of color maps, with a picture of each.

import { colorMapsAddress } from "./addresses";
import { ask } from "./ask";
import type { Control, ControlContext } from "./control";
import { element } from "./dom";
import type { ColorMap } from "./documents";
import { gradientOf } from "./legend";
import type { Picture } from "./picture";
import type { Style } from "./style";

const reversedEnding = "_r";
const none: ColorMap = { name: "", group: "", colors: ["#000000", "#ffffff"] };
const favorites = ["viridis", "magma", "cividis", "turbo", "hypsometric", "terrain", "rdylgn", "rdbu", "spectral"];
const usualColors: Partial<Record<Picture["mode"], string>> = { palette: "palette", classes: "own colors", colormap: "own colors" };
const groupTitles = [
  ["sequential", "Sequential"], ["diverging", "Diverging"], ["terrain", "Terrain"], ["rainbow", "Rainbow"], ["classes", "Classes"], ["cyclic", "Cyclic"],
] as const;

export class ColorMapPicker implements Control {
  readonly element: HTMLElement;

  #chosen = ""; // without the suffix
  #isReversed = false;
  #usual = ""; // that of the layer's style
  #maps: readonly ColorMap[] = [none];

  #swatch = element("span", { class: "ramp" });
  #label = element("span", {});
  #open = element("button", {
    type: "button", id: "colormap", class: "colormap", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-controls": "colormap-popup",
    onclick: () => this.#toggle(Boolean(this.#popup.hidden)),
  }, this.#swatch, this.#label);
  #filter = element("input", {
    type: "search", id: "colormap-filter", placeholder: "Filter color maps", "aria-label": "Filter color maps", autocomplete: "off",
    oninput: () => this.#applyFilter(),
  });
  #list = element("div", { role: "listbox", id: "colormap-list", "aria-label": "Color maps", class: "colormap-list" });
  #error = element("p", { class: "error-text" });
  #popup = element("div", { id: "colormap-popup", class: "colormap-popup", hidden: true }, this.#filter, this.#list, this.#error);
  #reverse = element("input", { id: "colormap-reverse", type: "checkbox", onchange: () => this.#choose(this.#chosen, this.#reverse.checked) });
  #reverseField = element("label", { class: "check" }, this.#reverse, "Reversed");

  constructor(private readonly context: ControlContext) {
    this.#popup.addEventListener("keydown", (event) => this.#handleKey(event));
    this.element = element("section", { id: "colormap-section" }, element("h3", {}, "Colors"), this.#open, this.#popup, this.#reverseField);
    void this.#load();
  }

  show({ colorMap = "" }: Style, picture: Picture): void {
    this.#isReversed = colorMap.endsWith(reversedEnding);
    this.#chosen = this.#isReversed ? colorMap.slice(0, -reversedEnding.length) : colorMap;
    this.#usual = colorMap ? "" : picture.colorMap ?? usualColors[picture.mode] ?? (picture.hasFixedColors ? "own colors" : "gray");
    this.#draw();
  }

  async #load(): Promise<void> {
    try {
      const { colormaps } = await ask<{ colormaps: ColorMap[] }>(colorMapsAddress);
      this.#maps = [none, ...colormaps];
    } catch (error) {
      this.#error.textContent = (error as Error).message;
    }
    this.#list.replaceChildren(...this.#groups());
    this.#draw();
  }

  // #groups lists all maps by purpose, after the most popular ones.
  #groups(): HTMLElement[] {
    const popular = favorites.flatMap((name) => this.#maps.find((map) => map.name === name) ?? []);
    const groups = groupTitles.map(([group, title]) => this.#groupOf(title, this.#maps.filter((map) => map.group === group)));
    return [this.#groupOf("", [none, ...popular]), ...groups];
  }

  #groupOf(title: string, maps: readonly ColorMap[]): HTMLElement {
    const heading = title && element("h4", { role: "presentation" }, title);
    return element("div", { role: "group", "aria-label": title || "Often wanted" }, heading || undefined, ...maps.map((map) => this.#optionOf(map)));
  }

  #optionOf({ name, colors }: ColorMap): HTMLElement {
    const ramp = element("span", { class: "ramp" });
    ramp.style.backgroundImage = gradientOf(colors);
    return element("button", {
      type: "button", role: "option", tabindex: "-1", "data-name": name, "aria-selected": "false", onclick: () => this.#take(name),
    }, ramp, element("span", {}, name || "Default"));
  }

  #take(name: string): void {
    this.#choose(name, this.#isReversed);
    this.#toggle(false);
    this.#open.focus();
  }

  #choose(name: string, isReversed: boolean): void {
    this.context.change({ colorMap: name === "" ? undefined : name + (isReversed ? reversedEnding : "") });
  }

  #draw(): void {
    const name = this.#chosen || this.#usual;
    const isReversed = this.#chosen ? this.#isReversed : name.endsWith(reversedEnding);
    const colors = this.#maps.find((map) => map.name === name.replace(/_r$/, ""))?.colors ?? [];
    this.#swatch.style.backgroundImage = colors.length > 0 ? gradientOf(isReversed ? colors.toReversed() : colors) : "";
    this.#swatch.hidden = colors.length === 0;
    this.#label.textContent = this.#chosen ? this.#chosen + (this.#isReversed ? ", reversed" : "") : `Default (${this.#usual})`;
    this.#reverse.checked = this.#isReversed;
    this.#reverseField.hidden = this.#chosen === "";
    for (const option of this.#options()) {
      option.setAttribute("aria-selected", String(option.dataset["name"] === this.#chosen));
    }
  }

  #toggle(isOpen: boolean): void {
    this.#popup.hidden = !isOpen;
    this.#open.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) {
      this.#list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
      this.#filter.focus({ preventScroll: true });
      this.#popup.scrollIntoView({ block: "nearest" });
    }
  }

  #options(): HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>("[role=option]")];
  }

  // #applyFilter keeps the maps whose names contain the filter's text, each once.
  #applyFilter(): void {
    const wanted = this.#filter.value.trim().toLowerCase();
    const [popular] = this.#list.children;
    for (const option of this.#options()) {
      const isTwice = wanted !== "" && option.closest("[role=group]") === popular && option.dataset["name"] !== "";
      option.hidden = isTwice || !(option.dataset["name"] ?? "").includes(wanted);
    }
    for (const group of this.#list.children) {
      (group as HTMLElement).hidden = !group.querySelector("[role=option]:not([hidden])");
    }
  }

  // #first returns the map that Enter chooses: one of that name, one that begins with it, or the first in the list.
  #first(): string | undefined {
    const wanted = this.#filter.value.trim().toLowerCase();
    const names = this.#options().filter((option) => !option.hidden).map((option) => option.dataset["name"] ?? "");
    return wanted === "" ? undefined : names.find((name) => name === wanted) ?? names.find((name) => name.startsWith(wanted)) ?? names[0];
  }

  // Arrow keys move through the list and back to the filter. Escape leaves both.
  #handleKey(event: KeyboardEvent): void {
    const options = this.#options().filter((option) => !option.hidden);
    const at = options.indexOf(document.activeElement as HTMLElement);
    const isWriting = event.target === this.#filter;
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: isWriting ? undefined : 0, End: isWriting ? undefined : options.length - 1 }[event.key];
    const first = isWriting && event.key === "Enter" ? this.#first() : undefined;
    if (first !== undefined) {
      event.preventDefault();
      this.#take(first);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      this.#toggle(false);
      this.#open.focus();
    } else if (next !== undefined) {
      event.preventDefault();
      (options[next] ?? this.#filter).focus();
    }
  }
}
