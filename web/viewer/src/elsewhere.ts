// The panel with addresses and code for other programs.

import { byID, element } from "./dom";
import { recipesOf, type Recipe, type Snippet, type Subject } from "./snippets";

const copiedMilliseconds = 1500;

export class Elsewhere {
  #chosen = "addresses";

  show(subject: Subject): void {
    const recipes = recipesOf(subject);
    const tabs = recipes.map((recipe) => element("button", {
      type: "button", id: `use-${recipe.id}`, "aria-pressed": "false",
      onclick: () => {
        this.#chosen = recipe.id;
        this.show(subject);
        byID(`use-${recipe.id}`).focus();
      },
    }, recipe.name));
    const recipe = recipes.find(({ id }) => id === this.#chosen) ?? recipes[0];
    tabs.find((tab) => tab.id === `use-${recipe?.id}`)?.setAttribute("aria-pressed", "true");
    byID("panel-use").replaceChildren(
      element("h2", {}, subject.layer.title),
      element("div", { class: "pills", role: "group", "aria-label": "Use this layer in" }, ...tabs),
      ...(recipe ? partsOf(recipe) : []));
  }
}

function partsOf(recipe: Recipe): HTMLElement[] {
  const note = recipe.note ? [element("p", { class: "quiet note" }, recipe.note)] : [];
  return [...note, ...recipe.snippets.map(snippetOf)];
}

function snippetOf({ name, text }: Snippet): HTMLElement {
  const code = element("code", {}, text);
  const copy = element("button", { type: "button", class: "copy", "aria-label": `Copy: ${name}` }, "Copy");
  copy.addEventListener("click", () => void copyText(text, copy, code));
  return element("div", { class: "snippet" },
    element("div", { class: "snippet-head" }, element("span", {}, name), copy),
    element("pre", { tabindex: "0", class: text.includes("\n") ? "" : "line" }, code));
}

/** copyText puts a text on the clipboard. Pages without TLS may not do that; there it selects the text for the user. */
export async function copyText(text: string, button: HTMLElement, code?: HTMLElement): Promise<void> {
  let done = "Copied";
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    done = copyByHand(text, code) ? done : "Selected";
  }
  button.dataset["done"] = done;
  setTimeout(() => delete button.dataset["done"], copiedMilliseconds);
}

function copyByHand(text: string, code: HTMLElement | undefined): boolean {
  const shown = code ?? document.body.appendChild(element("pre", { class: "unseen" }, text));
  getSelection()?.selectAllChildren(shown);
  const copied = document.execCommand("copy");
  if (!code) {
    shown.remove();
  }
  return copied;
}
