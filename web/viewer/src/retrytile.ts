// A map tile that can be requested again through the map's queue.

import ImageTile from "ol/ImageTile";
import TileState from "ol/TileState";

/** A failed tile can be reset to the state before its request. The map requests it again when it is in view. */
export class RetryTile extends ImageTile {
  address = "";
  failures = 0;

  /** putBack resets a failed tile to the state before its request. */
  putBack(): void {
    if (this.state === TileState.ERROR) {
      this.setState(TileState.IDLE);
    }
  }

  /** stop cancels the pending request; the tile then fails. */
  stop(): void {
    const picture = this.getImage();
    if (this.state === TileState.LOADING && picture instanceof HTMLImageElement) {
      picture.src = "";
    }
  }

  // A failed tile has lost its picture. OpenLayers loads a new one only in the state ERROR.
  override load(): void {
    if (this.state === TileState.IDLE && this.failures > 0) {
      this.state = TileState.ERROR;
    }
    super.load();
  }
}

/** loadPicture is the map's function to load tiles. */
export function loadPicture(tile: unknown, address: string): void {
  const picture = tile instanceof RetryTile && tile.getImage();
  if (picture instanceof HTMLImageElement) {
    (tile as RetryTile).address = address;
    picture.src = address;
  }
}
