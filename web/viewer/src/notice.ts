// What is said over the map: why something is missing, and how far something is.

import { byID } from "./dom";
import { Notices, type Notice, type Speaker } from "./notices";

const notices = new Notices();

/** showNotice says something until the same speaker says something else, or nothing. */
export function showNotice(speaker: Speaker, notice: Notice | undefined): void {
  notices.say(speaker, notice);
  draw(notices.shown);
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
    notices.close();
    draw(notices.shown);
  };
}
