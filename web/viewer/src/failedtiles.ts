// The tiles of one side of the map that failed: why, and which ones are requested again.

import { fetchRefusal, type Refusal } from "./ask";
import type { RetryTile } from "./retrytile";

const retrySeconds = 2; // if the server does not say when
const maxTiles = 2000; // more tiles than a map caches

export class FailedTiles {
  #pending = new Set<RetryTile>(); // failed since the last retry
  #pendingRefusal: Refusal | undefined;
  #rejected = new Set<RetryTile>(); // not requested again without a click
  #rejection: Refusal | undefined;
  #isReading = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** onRetry is called when tiles have been put back, and onChange when it is known why a tile failed. */
  constructor(
    private readonly onRetry: () => void,
    private readonly onChange: () => void,
  ) {}

  /** refusal returns why tiles failed, if that is known. Those that may still arrive come first. */
  get refusal(): Refusal | undefined {
    return this.#pendingRefusal ?? this.#rejection;
  }

  /** isWaiting reports whether tiles may still arrive without a click. */
  get isWaiting(): boolean {
    return this.#pendingRefusal ? this.#pendingRefusal.status === 503 : this.#pending.size > 0;
  }

  /**
   * add takes a tile that failed. It is requested once more, unless the answer is final. While the server is busy or away, the requests
   * go on: it may be building overviews that the file lacks.
   */
  add(tile: RetryTile): void {
    addTo(this.#pending, tile);
    void this.#readRefusals();
  }

  /** again puts all tiles back, so that the map requests those in view through its queue. */
  again(): void {
    this.forget();
    this.onRetry();
  }

  /** forget puts all tiles back, for a map that shows something else. */
  forget(): void {
    this.#rejection = undefined;
    putBack(this.#rejected);
    this.#putBackPending();
  }

  // #readRefusals asks why tiles failed, one after the other, until one of them may still arrive. Then all pending ones are requested again.
  async #readRefusals(): Promise<void> {
    if (this.#timer || this.#isReading) {
      return;
    }
    this.#isReading = true;
    for (const tile of this.#pending) {
      const refusal = await fetchRefusal(tile.address);
      if (!this.#pending.has(tile)) {
        continue; // it was put back
      }
      if (!refusal || refusal.isPassing || (tile.failures < 2 && !refusal.isFinal)) {
        this.#retryLater(refusal);
        break;
      }
      this.#reject(tile, refusal);
    }
    this.#isReading = false;
  }

  #retryLater(refusal: Refusal | undefined): void {
    this.#pendingRefusal = refusal;
    const retry = () => {
      this.#putBackPending();
      this.onRetry();
    };
    this.#timer = setTimeout(retry, 1000 * Math.max(refusal?.retryAfterSeconds ?? 0, retrySeconds));
    this.onChange();
  }

  #reject(tile: RetryTile, refusal: Refusal): void {
    this.#pending.delete(tile);
    addTo(this.#rejected, tile);
    this.#rejection = refusal;
    this.onChange();
  }

  #putBackPending(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pendingRefusal = undefined;
    putBack(this.#pending);
  }
}

function addTo(tiles: Set<RetryTile>, tile: RetryTile): void {
  tiles.add(tile);
  const [oldest] = tiles;
  if (oldest && tiles.size > maxTiles) {
    tiles.delete(oldest);
  }
}

function putBack(tiles: Set<RetryTile>): void {
  const all = [...tiles];
  tiles.clear();
  all.forEach((tile) => tile.putBack());
}
