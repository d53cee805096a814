// The tiles of one side of the map: where they come from, which are under way, and what becomes of those that fail.

import type ImageTile from "ol/ImageTile";
import TileLayer from "ol/layer/Tile";
import TileImage from "ol/source/TileImage";
import TileState from "ol/TileState";
import type { TileCoord } from "ol/tilecoord";
import { hasPalette, tilesAddress } from "./addresses";
import { whyNot, type Refusal } from "./ask";
import type { LayerDocument } from "./documents";
import { spaceOf, tileGridIn, tileSetIn } from "./space";
import type { SpaceName } from "./state";
import { parametersOf, type Pair, type Style } from "./style";

const retrySeconds = 2; // where the server does not say when
const isFine = window.devicePixelRatio > 1.25;

export class SideTiles {
  readonly layer = new TileLayer<TileImage>({ visible: false });

  /** onChange is told when a tile begins, comes or fails. */
  onChange: () => void = () => {};

  loading = 0;
  trouble: Refusal | undefined;

  #showing = ""; // layer, its statistics, and space
  #template = "";
  #finest = 1; // resolution of the layer's own pixels
  #addresses = new WeakMap<ImageTile, string>();
  #failed = new Map<ImageTile, number>(); // how often
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    // Enlarged pixels are to be seen as what they are.
    this.layer.on("prerender", ({ context, frameState }) => {
      if (context instanceof CanvasRenderingContext2D && frameState) {
        context.imageSmoothingEnabled = frameState.viewState.resolution > this.#finest / 2;
      }
    });
  }

  /** show takes tiles of a layer in a style, or nothing where the layer cannot be shown. */
  show(document: LayerDocument | undefined, style: Style, space: SpaceName): void {
    const set = document && tileSetIn(document, space);
    if (!document || !set) {
      this.#forget();
      this.#showing = "";
      this.layer.setVisible(false);
      this.layer.setSource(null);
      return;
    }
    const parameters = [...parametersOf(style), ...lossless(document, style)];
    const template = tilesAddress(document.id, set.id, isFine ? "@2x.webp" : ".webp", parameters);
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

  /** isWaiting tells whether tiles may still come by themselves. */
  get isWaiting(): boolean {
    return this.loading > 0 || (this.trouble ? this.trouble.status === 503 : this.#failed.size > 0);
  }

  /** again asks once more for what failed. */
  again(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const failed = [...this.#failed.keys()];
    this.trouble = undefined;
    for (const tile of failed) {
      if (tile.getState() === TileState.ERROR) {
        tile.load();
      }
    }
    this.layer.changed();
    this.onChange();
  }

  #sourceOf(document: LayerDocument, space: SpaceName): TileImage {
    const source = new TileImage({
      tileGrid: tileGridIn(document, space),
      projection: spaceOf(document, space).projection,
      tilePixelRatio: isFine ? 2 : 1,
      wrapX: space !== "pixels",
      transition: 120,
      tileLoadFunction: (tile, address) => {
        const picture = (tile as ImageTile).getImage();
        if (picture instanceof HTMLImageElement) {
          this.#addresses.set(tile as ImageTile, address);
          picture.src = address;
        }
      },
    });
    const isCurrent = () => this.layer.getSource() === source;
    source.on("tileloadstart", () => isCurrent() && this.#count(1));
    source.on("tileloadend", (event) => {
      if (isCurrent()) {
        this.#failed.delete(event.tile as ImageTile);
        this.#count(-1);
      }
    });
    source.on("tileloaderror", (event) => {
      if (isCurrent()) {
        this.#count(-1);
        void this.#fail(event.tile as ImageTile);
      }
    });
    return source;
  }

  #count(change: number): void {
    this.loading = Math.max(0, this.loading + change);
    this.onChange();
  }

  // A tile that failed is asked for once more, and again and again while the server is busy or away: it may be making
  // overviews that the file lacks.
  async #fail(tile: ImageTile): Promise<void> {
    const times = (this.#failed.get(tile) ?? 0) + 1;
    this.#failed.set(tile, times);
    if (this.trouble || this.#timer) {
      return; // which are the same for all
    }
    const refusal = await whyNot(this.#addresses.get(tile) ?? "");
    if (!this.#failed.has(tile)) {
      return; // something else is shown by now
    }
    const isPassing = !refusal || refusal.status === 503 || refusal.status === 0;
    this.trouble = refusal;
    if (isPassing || times < 2) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.again(), 1000 * Math.max(refusal?.retryAfterSeconds ?? 0, retrySeconds));
    }
    this.onChange();
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#failed.clear();
    this.trouble = undefined;
    this.loading = 0;
  }
}

function addressAt(template: string, [z = 0, x = 0, y = 0]: TileCoord): string {
  return template.replace("{z}", String(z)).replace("{x}", String(x)).replace("{y}", String(y));
}

// lossless asks for exact colours where they are classes.
function lossless(document: LayerDocument, style: Style): Pair[] {
  return hasPalette(document) && !style.algorithm ? [["lossless", "true"]] : [];
}
