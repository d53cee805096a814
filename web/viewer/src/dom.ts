// Short functions that create and find elements.

type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>;
type Child = Node | string | undefined | false;

/** element creates an element. Attributes that begin with "on" are listeners; false and undefined omit an attribute. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      made.addEventListener(attribute.slice(2), value as EventListener);
    } else if (value !== undefined && value !== false) {
      made.setAttribute(attribute, value === true ? "" : String(value));
    }
  }
  made.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return made;
}

/** byID returns an element of index.html. */
export function byID<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) {
    throw new Error(`index.html lacks the element ${id}`);
  }
  return found as T;
}

const svg = "http://www.w3.org/2000/svg";

/** icon returns a line drawing on a canvas of 20 by 20. */
export function icon(path: string): SVGElement {
  const drawing = document.createElementNS(svg, "svg");
  drawing.setAttribute("viewBox", "0 0 20 20");
  drawing.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(svg, "path");
  line.setAttribute("d", path);
  drawing.append(line);
  return drawing;
}

/** field returns a control with its label before it. */
export function field(label: string, control: HTMLElement, ...more: Child[]): HTMLElement {
  const labelled = control.id === "" ? control.querySelector("select, input") : control;
  return element("div", { class: "field" }, element("label", { for: labelled?.id }, label), control, ...more);
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

/** selectOf returns a drop-down list. */
export function selectOf(id: string, options: readonly Option[], choose: (value: string) => void): HTMLSelectElement {
  const select = element("select", { id, onchange: () => choose(select.value) });
  fillSelect(select, options);
  return select;
}

export function fillSelect(select: HTMLSelectElement, options: readonly Option[]): void {
  select.replaceChildren(...options.map(({ value, label }) => element("option", { value }, label)));
}

/** choiceOf returns a row of buttons, one of them pressed. */
export function choiceOf(
  id: string,
  label: string,
  options: readonly Option[],
  choose: (value: string) => void,
): { element: HTMLElement; show(value: string): void } {
  const buttons = options.map(({ value, label: text }) =>
    element("button", { type: "button", id: `${id}-${value}`, "data-value": value, onclick: () => choose(value) }, text));
  return {
    element: element("div", { id, class: "choice", role: "group", "aria-label": label }, ...buttons),
    show: (value) => buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset["value"] === value))),
  };
}

/** later debounces calls: it runs the last one after a pause. */
export function later<A extends unknown[]>(milliseconds: number, call: (...given: A) => void): Later<A> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = (...given: A) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...given), milliseconds);
  };
  return Object.assign(begin, { cancel: () => clearTimeout(timer) });
}

/** A call that runs after a pause, unless another call replaces it or it is canceled. */
export interface Later<A extends unknown[]> {
  (...given: A): void;
  cancel(): void;
}
