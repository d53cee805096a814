// The pending notices, and the one that the user closed.

export interface Notice {
  readonly text: string;
  readonly subject?: string; // identifies the notice while its text changes
  readonly isError?: boolean;
  readonly progress?: number; // from 0 to 1
  readonly again?: () => void; // the action of "Try again"
}

/** The sources of notices. Those of the page go before those of tiles, which repeat. */
export type NoticeSource = "page" | "tiles";

export class Notices {
  #page: Notice | undefined;
  #tiles: Notice | undefined;
  #closed: string | undefined; // of tiles

  /** set stores a notice until the same source replaces or clears it. */
  set(source: NoticeSource, notice: Notice | undefined): void {
    if (source === "page") {
      this.#page = notice;
      return;
    }
    this.#tiles = notice;
    if (notice && subjectOf(notice) !== this.#closed) {
      this.#closed = undefined;
    }
  }

  /** close hides the current notice until a different one comes. */
  close(): void {
    if (this.#page) {
      this.#page = undefined;
    } else if (this.#tiles) {
      this.#closed = subjectOf(this.#tiles);
    }
  }

  get shown(): Notice | undefined {
    return this.#page ?? (this.#closed === undefined ? this.#tiles : undefined);
  }
}

function subjectOf({ subject, text }: Notice): string {
  return subject ?? text;
}
