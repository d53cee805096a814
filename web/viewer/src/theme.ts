// Dark or light: as the system has it, or as a person wants it here.

import { byID } from "./dom";

type Theme = "light" | "dark";
const key = "tileserver-theme";
const systemDark = matchMedia("(prefers-color-scheme: dark)");

/** startTheme takes what was chosen last time. */
export function startTheme(): void {
  const kept = stored();
  apply(kept === "light" || kept === "dark" ? kept : undefined);
  systemDark.addEventListener("change", () => apply(chosen()));
  byID("theme").addEventListener("click", toggleTheme);
}

/** toggleTheme goes from dark to light and back. What the system has as well is not insisted on. */
export function toggleTheme(): void {
  const next = shown() === "dark" ? "light" : "dark";
  apply(next === ofSystem() ? undefined : next);
  try {
    localStorage.setItem(key, chosen() ?? "");
  } catch {
    // Some browsers keep nothing; then it is for this page only.
  }
}

function apply(theme: Theme | undefined): void {
  document.documentElement.dataset["theme"] = theme ?? "";
  byID("theme").setAttribute("aria-pressed", String(shown() === "dark"));
}

function shown(): Theme {
  return chosen() ?? ofSystem();
}

function chosen(): Theme | undefined {
  return (document.documentElement.dataset["theme"] || undefined) as Theme | undefined;
}

function ofSystem(): Theme {
  return systemDark.matches ? "dark" : "light";
}

function stored(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
