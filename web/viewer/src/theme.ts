// The theme, dark or light: the system's, or the one that the user chose for this page.

import { byID } from "./dom";

type Theme = "light" | "dark";
const key = "tileserver-theme";
const systemDark = matchMedia("(prefers-color-scheme: dark)");

/** startTheme applies the theme of the last visit. */
export function startTheme(): void {
  const saved = stored();
  apply(saved === "light" || saved === "dark" ? saved : undefined);
  systemDark.addEventListener("change", () => apply(chosen()));
  byID("theme").addEventListener("click", toggleTheme);
}

/** toggleTheme switches between dark and light. A choice that equals the system's is not stored. */
export function toggleTheme(): void {
  const next = shown() === "dark" ? "light" : "dark";
  apply(next === ofSystem() ? undefined : next);
  try {
    localStorage.setItem(key, chosen() ?? "");
  } catch {
    // Some browsers store nothing; then the choice lasts for this visit only.
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
