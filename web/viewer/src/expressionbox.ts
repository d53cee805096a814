// The text field of an expression.

import { element } from "./dom";

export class ExpressionBox {
  readonly element: HTMLFormElement;

  #input = element("input", {
    id: "expression", type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off",
    "aria-describedby": "expression-error expression-hint",
  });
  #error = element("p", { id: "expression-error", class: "error-text", role: "alert" });
  #shown: string | undefined;

  /** take receives the submitted text, and returns the server's reason to reject it. */
  constructor(example: string, private readonly take: (text: string) => Promise<string | undefined>) {
    this.#input.placeholder = example;
    const send = element("button", { type: "submit", id: "expression-apply" }, "Show");
    this.element = element("form", { class: "expression" },
      element("label", { for: "expression", class: "unseen" }, "Expression"),
      element("span", { class: "inline" }, this.#input, send), this.#error,
      element("p", { id: "expression-hint", class: "quiet" }, "Bands are b1, b2, … or their names; three outputs with ; between them."));
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#send();
    });
  }

  focus(): void {
    this.#input.focus();
  }

  /** show puts in the expression of a picture, unless the user is typing. */
  show(text: string | undefined): void {
    if (text !== this.#shown) {
      this.#shown = text;
      this.#input.value = text ?? "";
      this.#refuse(undefined);
    }
  }

  async #send(): Promise<void> {
    this.#refuse(await this.take(this.#input.value.trim()));
  }

  #refuse(problem: string | undefined): void {
    this.#error.textContent = problem ?? "";
    this.#input.setAttribute("aria-invalid", String(Boolean(problem)));
  }
}
