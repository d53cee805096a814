// A long list that has elements only for the rows in view. Rows may differ in height: heights of rows not drawn yet are guessed.

const guessedHeight = 84; // pixels
const rowsBeyond = 3; // rows drawn above and below the visible part

export class VirtualList {
  /** draw creates the element of a row. */
  draw: (index: number) => HTMLElement = () => document.createElement("li");

  /** onView receives the first row drawn, and the row after the last one. */
  onView: (first: number, end: number) => void = () => {};

  #heights: number[] = []; // of rows that were drawn, including the gap below
  #drawn = new Map<number, HTMLElement>();
  #wanted: number | undefined; // a row to scroll to once the list is visible
  #count = 0;

  constructor(
    private readonly list: HTMLElement,
    private readonly view: HTMLElement, // the element that scrolls
  ) {
    view.addEventListener("scroll", () => this.refresh(), { passive: true });
    const observer = new ResizeObserver(() => this.refresh());
    observer.observe(view);
    observer.observe(list.parentElement ?? list);
  }

  /** show redraws everything with a number of rows: new ones, or mostly the same. */
  show(count: number, areSame: boolean): void {
    this.#count = count;
    if (!areSame) {
      this.#heights = [];
      this.view.scrollTop = 0;
    }
    this.redraw([...this.#drawn.keys()]);
  }

  /** redraw recreates the elements of some rows. */
  redraw(rows: readonly number[]): void {
    for (const row of rows) {
      this.#drawn.get(row)?.remove();
      this.#drawn.delete(row);
    }
    this.refresh();
  }

  /** rows holds the existing elements, by row. */
  get rows(): ReadonlyMap<number, HTMLElement> {
    return this.#drawn;
  }

  /** reveal scrolls to a row if it is not in view, and returns its element if it exists. */
  reveal(index: number): HTMLElement | undefined {
    this.#wanted = index;
    this.refresh();
    return this.#drawn.get(index);
  }

  /** refresh draws the rows in view. */
  refresh(): void {
    if (!this.list.checkVisibility()) {
      return;
    }
    if (this.#wanted !== undefined) {
      this.#scrollTo(this.#wanted);
      this.#wanted = undefined;
    }
    const top = this.view.scrollTop - this.#listTop();
    const first = this.#rowAt(top);
    const end = Math.min(this.#rowAt(top + this.view.clientHeight) + 1, this.#count);
    const into = top - this.#offsetOf(first);
    const drawn = [Math.max(first - rowsBeyond, 0), Math.min(end + rowsBeyond, this.#count)] as const;
    this.#put(...drawn);
    const moved = this.#offsetOf(first) + into - top; // rows above are higher than guessed
    if (Math.abs(moved) >= 1) {
      this.view.scrollTop += moved;
    }
    this.onView(...drawn);
  }

  #scrollTo(index: number): void {
    for (let round = 0; round < 3; round++) { // a guessed height becomes known when its row is drawn
      const [top, bottom] = [this.#offsetOf(index), this.#offsetOf(index + 1)];
      const from = this.view.scrollTop - this.#listTop();
      if (top < from) {
        this.view.scrollTop = Math.max(top + this.#listTop() - guessedHeight / 2, 0);
      } else if (bottom > from + this.view.clientHeight) {
        this.view.scrollTop = bottom + this.#listTop() - this.view.clientHeight + guessedHeight / 2;
      }
      const at = this.#rowAt(this.view.scrollTop - this.#listTop());
      const rows = Math.ceil(this.view.clientHeight / guessedHeight) + 1;
      this.#put(Math.max(Math.min(at, index) - rowsBeyond, 0), Math.min(Math.max(at + rows, index) + rowsBeyond, this.#count));
    }
  }

  // put draws some rows, and reuses their existing elements.
  #put(from: number, end: number): void {
    const rows: HTMLElement[] = [];
    const drawn = new Map<number, HTMLElement>();
    for (let index = from; index < end; index++) {
      const row = this.#drawn.get(index) ?? this.draw(index);
      drawn.set(index, row);
      rows.push(row);
    }
    this.#drawn.forEach((row, index) => drawn.has(index) || row.remove());
    rows.forEach((row, at) => {
      if (this.list.children[at] !== row) {
        this.list.insertBefore(row, this.list.children[at] ?? null);
      }
    });
    this.#drawn = drawn;
    drawn.forEach((row, index) => { this.#heights[index] = row.getBoundingClientRect().height; });
    this.list.style.paddingTop = `${this.#offsetOf(from)}px`;
    this.list.style.paddingBottom = `${this.#offsetOf(this.#count) - this.#offsetOf(end)}px`;
  }

  #listTop(): number {
    return this.list.getBoundingClientRect().top - this.view.getBoundingClientRect().top + this.view.scrollTop;
  }

  #offsetOf(index: number): number {
    let offset = 0;
    for (let row = 0; row < index; row++) {
      offset += this.#heights[row] ?? guessedHeight;
    }
    return offset;
  }

  #rowAt(top: number): number {
    let row = 0;
    for (let offset = 0; row < this.#count; row++) {
      offset += this.#heights[row] ?? guessedHeight;
      if (offset > top) {
        break;
      }
    }
    return row;
  }
}
