// The notice over the map: why tiles are missing, or the progress of a build.

import { byID } from "./dom";
import { Notices, type Notice, type NoticeSource } from "./notices";

const notices = new Notices();

/** showNotice shows a notice until the same source replaces or clears it. */
export function showNotice(source: NoticeSource, notice: Notice | undefined): void {
  notices.set(source, notice);
  draw(notices.shown);
}

function draw(notice: Notice | undefined): void {
  byID("notice").hidden = !notice;
  if (!notice) {
    return;
  }
  byID("notice").classList.toggle("error", Boolean(notice.isError));
  if (byID("notice-text").textContent !== notice.text) {
    byID("notice-text").textContent = notice.text; // only if it changed, or screen readers would read it again
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
