// The tiles of one side of the map: their addresses, those that are loading, and those that failed.

import TileLayer from "ol/layer/Tile";
import TileImage from "ol/source/TileImage";
import type Tile from "ol/Tile";
import type { TileCoord } from "ol/tilecoord";
import { allowsParameter, allowsSide, pictureExtension } from "./allow";
import { tilesAddress } from "./addresses";
import type { Refusal } from "./ask";
import type { LayerDocument } from "./documents";
import { FailedTiles } from "./failedtiles";
import { loadPicture, RetryTile } from "./retrytile";
import { pictureOf } from "./picture";
import { spaceOf, tileGridIn, tileSetIn } from "./space";
import type { SpaceName } from "./state";
import { parametersOf, withQuery, type Pair, type Style } from "./style";

const mapTurnMilliseconds = 250; // after which the map has requested the tiles in view
const isFine = window.devicePixelRatio > 1.25;

export class SideTiles {
  readonly layer = new TileLayer<TileImage>({ visible: false });

  /** onChange is called when a tile starts, arrives or fails. */
  onChange: () => void = () => {};

  #showing = ""; // layer, its statistics, and space
  #template = "";
  #finest = 1; // resolution of the layer's own pixels
  #loading = new Set<RetryTile>();
  #failed = new FailedTiles(() => this.#requestAgain(), () => this.onChange());
  #failsAtOnce = false;

  constructor() {
    // Enlarged pixels show as squares.
    this.layer.on("prerender", ({ context, frameState }) => {
      if (context instanceof CanvasRenderingContext2D && frameState) {
        context.imageSmoothingEnabled = frameState.viewState.resolution > this.#finest / 2;
      }
    });
  }

  /** show shows tiles of a layer in a style, or none if the layer cannot be shown. */
  show(document: LayerDocument | undefined, style: Style, space: SpaceName): void {
    const set = document && tileSetIn(document, space);
    if (!document || !set) {
      this.#forget();
      this.#showing = "";
      this.layer.setVisible(false);
      this.layer.setSource(null);
      return;
    }
    const extension = pictureExtension(document);
    const parameters = [...parametersOf(style), ...lossless(document, style, extension)];
    const template = tilesAddress(document.id, set.id, `${isFineOf(document) ? "@2x" : ""}.${extension}`, parameters);
    const showing = `${document.id} ${document.statistics.version} ${space}`;
    if (showing !== this.#showing) {
      this.#forget();
      this.#showing = showing;
      this.#template = "";
      this.#finest = spaceOf(document, space).finest;
      this.layer.setSource(this.#sourceOf(document, space));
    }
    if (template !== this.#template) {
      this.#forget();
      this.#template = template;
      this.layer.getSource()?.setTileUrlFunction((at: TileCoord) => addressAt(template, at), template);
    }
    this.layer.setVisible(true);
  }

  /** setFailAtOnce sets whether tiles fail at once instead of waiting for overviews. When it ends, tiles that failed are requested again. */
  setFailAtOnce(failsAtOnce: boolean): void {
    const ends = this.#failsAtOnce && !failsAtOnce;
    this.#failsAtOnce = failsAtOnce;
    if (ends) {
      this.again();
    }
  }

  get loading(): number {
    return this.#loading.size;
  }

  /** refusal returns why tiles failed, if that is known. */
  get refusal(): Refusal | undefined {
    return this.#failed.refusal;
  }

  /** isWaiting reports whether tiles may still arrive without a click. */
  get isWaiting(): boolean {
    return this.loading > 0 || this.#failed.isWaiting;
  }

  /** again resets failed tiles, so that the map requests those in view through its queue. */
  again(): void {
    this.#failed.again();
  }

  #requestAgain(): void {
    this.layer.changed();
    setTimeout(() => this.onChange(), mapTurnMilliseconds);
  }

  #sourceOf(document: LayerDocument, space: SpaceName): TileImage {
    const source = new TileImage({
      tileGrid: tileGridIn(document, space),
      projection: spaceOf(document, space).projection,
      tilePixelRatio: isFineOf(document) ? 2 : 1,
      wrapX: space !== "pixels",
      transition: 120,
      tileClass: RetryTile,
      tileLoadFunction: (tile, address) => loadPicture(tile, this.#failsAtOnce ? withQuery(address, [["wait", "0"]]) : address),
    });
    // Tiles of the previous style may still arrive or fail after the style has changed.
    const isCurrent = (tile: Tile) => this.layer.getSource() === source && tile.key === source.getKey();
    source.on("tileloadstart", (event) => {
      if (isCurrent(event.tile)) {
        this.#loading.add(event.tile as RetryTile);
        this.onChange();
      }
    });
    source.on("tileloadend", (event) => {
      if (this.#loading.delete(event.tile as RetryTile)) {
        this.onChange();
      }
    });
    source.on("tileloaderror", (event) => {
      const tile = event.tile as RetryTile;
      tile.failures++;
      if (this.#loading.delete(tile)) {
        this.#failed.add(tile);
        this.onChange();
      } else {
        queueMicrotask(() => tile.putBack()); // after the map has noticed the failure
      }
    });
    return source;
  }

  #forget(): void {
    const stopped = [...this.#loading];
    this.#loading.clear(); // first, because they fail now
    stopped.forEach((tile) => tile.stop());
    this.#failed.forget();
  }
}

function addressAt(template: string, [z = 0, x = 0, y = 0]: TileCoord): string {
  return template.replace("{z}", String(z)).replace("{x}", String(x)).replace("{y}", String(y));
}

const fineSide = 512; // of most tiles with twice as many pixels

function isFineOf(document: LayerDocument): boolean {
  return isFine && allowsSide(document, fineSide);
}

// lossless requests exact colors where colors are classes.
function lossless(document: LayerDocument, style: Style, extension: string): Pair[] {
  const { mode } = pictureOf(document, style);
  const isNeeded = mode === "palette" || mode === "classes";
  return isNeeded && extension === "webp" && allowsParameter(document, "lossless") ? [["lossless", "true"]] : [];
}
