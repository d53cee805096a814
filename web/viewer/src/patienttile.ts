// A tile that can be asked for more than once, in its turn.

import ImageTile from "ol/ImageTile";
import TileState from "ol/TileState";

/** A tile that failed may go back to those that nobody asked for yet: the map asks for it when it is in view. */
export class PatientTile extends ImageTile {
  address = "";
  failures = 0;

  /** putBack makes one that failed as if it had never been asked for. */
  putBack(): void {
    if (this.state === TileState.ERROR) {
      this.setState(TileState.IDLE);
    }
  }

  /** stop ends the request that is under way; the tile then fails. */
  stop(): void {
    const picture = this.getImage();
    if (this.state === TileState.LOADING && picture instanceof HTMLImageElement) {
      picture.src = "";
    }
  }

  // What failed has lost its picture, and gets a new one only as what failed.
  override load(): void {
    if (this.state === TileState.IDLE && this.failures > 0) {
      this.state = TileState.ERROR;
    }
    super.load();
  }
}

/** loadPicture is how the map asks for tiles. */
export function loadPicture(tile: unknown, address: string): void {
  const picture = tile instanceof PatientTile && tile.getImage();
  if (picture instanceof HTMLImageElement) {
    (tile as PatientTile).address = address;
    picture.src = address;
  }
}
