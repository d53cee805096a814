// The choice of a colour map by its looks.

import { colorMapsAddress } from "./addresses";
import { ask } from "./ask";
import type { Control, ControlContext } from "./control";
import { element } from "./dom";
import type { ColorMap } from "./documents";
import { gradientOf } from "./legend";
import type { Style } from "./style";

const reversedEnding = "_r";
const none: ColorMap = { name: "", colors: ["#000000", "#ffffff"] };
const noneLabel = "As the layer has it";

export class ColorMapPicker implements Control {
  readonly element: HTMLElement;

  #chosen = ""; // without the ending
  #isReversed = false;
  #maps: readonly ColorMap[] = [none];

  #swatch = element("span", { class: "ramp" });
  #label = element("span", {});
  #open = element("button", {
    type: "button", id: "colormap", class: "colormap", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-controls": "colormap-popup",
    onclick: () => this.#toggle(Boolean(this.#popup.hidden)),
  }, this.#swatch, this.#label);
  #filter = element("input", {
    type: "search", id: "colormap-filter", placeholder: "Filter colour maps", "aria-label": "Filter colour maps", autocomplete: "off",
    oninput: () => this.#sift(),
  });
  #list = element("div", { role: "listbox", id: "colormap-list", "aria-label": "Colour maps", class: "colormap-list" });
  #trouble = element("p", { class: "error-text" });
  #popup = element("div", { id: "colormap-popup", class: "colormap-popup", hidden: true }, this.#filter, this.#list, this.#trouble);
  #reverse = element("input", { id: "colormap-reverse", type: "checkbox", onchange: () => this.#choose(this.#chosen, this.#reverse.checked) });

  constructor(private readonly context: ControlContext) {
    this.#popup.addEventListener("keydown", (event) => this.#walk(event));
    this.element = element("section", { id: "colormap-section" }, element("h3", {}, "Colours"), this.#open, this.#popup,
      element("label", { class: "check" }, this.#reverse, "Reversed"));
    void this.#load();
  }

  show({ colorMap = "" }: Style): void {
    this.#isReversed = colorMap.endsWith(reversedEnding);
    this.#chosen = this.#isReversed ? colorMap.slice(0, -reversedEnding.length) : colorMap;
    this.#draw();
  }

  async #load(): Promise<void> {
    try {
      const { colormaps } = await ask<{ colormaps: ColorMap[] }>(colorMapsAddress);
      this.#maps = [none, ...colormaps];
    } catch (error) {
      this.#trouble.textContent = (error as Error).message;
    }
    this.#list.replaceChildren(...this.#maps.map((map) => this.#optionOf(map)));
    this.#draw();
  }

  #optionOf({ name, colors }: ColorMap): HTMLElement {
    const ramp = element("span", { class: "ramp" });
    ramp.style.backgroundImage = gradientOf(colors);
    return element("button", {
      type: "button", role: "option", tabindex: "-1", "data-name": name, "aria-selected": "false",
      onclick: () => {
        this.#choose(name, this.#isReversed);
        this.#toggle(false);
        this.#open.focus();
      },
    }, ramp, element("span", {}, name || noneLabel));
  }

  #choose(name: string, isReversed: boolean): void {
    this.context.change({ colorMap: name === "" ? undefined : name + (isReversed ? reversedEnding : "") });
  }

  #draw(): void {
    const colors = this.#maps.find((map) => map.name === this.#chosen)?.colors ?? [];
    this.#swatch.style.backgroundImage = colors.length > 0 ? gradientOf(this.#isReversed ? colors.toReversed() : colors) : "";
    this.#label.textContent = this.#chosen === "" ? noneLabel : this.#chosen + (this.#isReversed ? ", reversed" : "");
    this.#reverse.checked = this.#isReversed;
    this.#reverse.disabled = this.#chosen === "";
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
    }
  }

  #options(): HTMLElement[] {
    return [...this.#list.children] as HTMLElement[];
  }

  #sift(): void {
    const wanted = this.#filter.value.trim().toLowerCase();
    for (const option of this.#options()) {
      option.hidden = !(option.dataset["name"] ?? "").includes(wanted);
    }
  }

  // Arrow keys go through the list and back to the filter, and Escape leaves both.
  #walk(event: KeyboardEvent): void {
    const options = this.#options().filter((option) => !option.hidden);
    const at = options.indexOf(document.activeElement as HTMLElement);
    const isWriting = event.target === this.#filter;
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: isWriting ? undefined : 0, End: isWriting ? undefined : options.length - 1 }[event.key];
    if (event.key === "Escape") {
      event.stopPropagation();
      this.#toggle(false);
      this.#open.focus();
    } else if (next !== undefined) {
      event.preventDefault();
      (options[next] ?? this.#filter).focus();
    }
  }
}
