// What is said over the map: why something is missing, and how far something is.

import { byID } from "./dom";

export interface Notice {
  readonly text: string;
  readonly isError?: boolean;
  readonly progress?: number; // from 0 to 1
  readonly again?: () => void; // what there is to try
}

/** Those who say something. The page's own troubles go before those of tiles. */
type Speaker = "page" | "tiles";

const said = new Map<Speaker, Notice>();

/** showNotice says something until the same speaker says something else, or nothing. */
export function showNotice(speaker: Speaker, notice: Notice | undefined): void {
  if (notice) {
    said.set(speaker, notice);
  } else {
    said.delete(speaker);
  }
  draw(said.get("page") ?? said.get("tiles"));
}

function draw(notice: Notice | undefined): void {
  byID("notice").hidden = !notice;
  if (!notice) {
    return;
  }
  byID("notice").classList.toggle("error", Boolean(notice.isError));
  if (byID("notice-text").textContent !== notice.text) {
    byID("notice-text").textContent = notice.text; // only then, or it would be read out again
  }
  const progress = byID<HTMLProgressElement>("notice-progress");
  progress.hidden = notice.progress === undefined;
  progress.value = notice.progress ?? 0;
  byID("notice-again").hidden = !notice.again;
  byID("notice-again").onclick = () => notice.again?.();
  byID("notice-close").onclick = () => {
    byID("notice").hidden = true;
    said.delete("page");
  };
}
