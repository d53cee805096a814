// What there is to say, and what was heard already.

export interface Notice {
  readonly text: string;
  readonly subject?: string; // where the text changes while it is about the same
  readonly isError?: boolean;
  readonly progress?: number; // from 0 to 1
  readonly again?: () => void; // what there is to try
}

/** Those who say something. The page's own troubles go before those of tiles, which are said again and again. */
export type Speaker = "page" | "tiles";

export class Notices {
  #page: Notice | undefined;
  #tiles: Notice | undefined;
  #closed: string | undefined; // of tiles

  /** say keeps what somebody says until the same speaker says something else, or nothing. */
  say(speaker: Speaker, notice: Notice | undefined): void {
    if (speaker === "page") {
      this.#page = notice;
      return;
    }
    this.#tiles = notice;
    if (notice && subjectOf(notice) !== this.#closed) {
      this.#closed = undefined;
    }
  }

  /** close has what is shown not be said any more, until something else is. */
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
