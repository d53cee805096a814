// The tiles on the screen: which ones are wanted, which ones may go, and where each one stands.

const tilePixels = 256;
const retryDelay = 1500; // milliseconds until a tile that failed is asked for again; twice as long each further time
const maxDoublings = 4;

export class Tiles {
  // parent takes the tiles; onChange is told when one has come or failed.
  constructor(parent, grid, extension, onChange) {
    this.parent = parent;
    this.grid = grid;
    this.onChange = onChange;
    this.suffix = (window.devicePixelRatio > 1.25 ? "@2x." : ".") + extension;
    this.levels = new Map(); // by zoom: { element, column, row, tiles by "column/row" }
  }

  // show brings the tiles of a view: center in the plane of the grid, zoom, and size in pixels of the screen.
  show(view) {
    const zoom = Math.min(Math.max(Math.ceil(view.zoom - 0.3), 0), this.grid.maxZoom);
    const range = this.range(view, zoom);
    const level = this.level(zoom, range);
    this.drop(level, (column, row) =>
      column < range.left - 1 || column > range.right + 1 || row < range.top - 1 || row > range.bottom + 1);
    this.add(level, zoom, range);
    this.current = zoom;
    this.levels.forEach((other, otherZoom) => {
      if (otherZoom !== zoom) {
        this.drop(other, (column, row, tile) => tile.state === "loading"); // nobody waits for these any more
      }
      this.place(other, otherZoom, view);
    });
    this.dropCovered();
  }

  // range is the tiles that a view sees of the layer.
  range(view, zoom) {
    const scale = 2 ** zoom;
    const halfWidth = view.width / 2 ** (view.zoom + 1);
    const halfHeight = view.height / 2 ** (view.zoom + 1);
    const [left, top, right, bottom] = this.grid.area;
    const tile = (plane) => Math.floor((plane * scale) / tilePixels);
    const last = (plane) => Math.ceil((plane * scale) / tilePixels) - 1;
    return {
      left: tile(Math.max(view.x - halfWidth, left)),
      top: Math.max(tile(Math.max(view.y - halfHeight, top)), 0),
      right: last(Math.min(view.x + halfWidth, right)),
      bottom: last(Math.min(view.y + halfHeight, bottom)),
    };
  }

  level(zoom, range) {
    let level = this.levels.get(zoom);
    if (!level) {
      const element = document.createElement("div");
      element.className = "level";
      this.parent.append(element);
      // Tiles stand near the corner of their level: browsers draw large coordinates badly.
      level = { element, column: range.left, row: range.top, tiles: new Map() };
      this.levels.set(zoom, level);
    }
    return level;
  }

  // add asks for the missing tiles, those in the middle first.
  add(level, zoom, range) {
    const missing = [];
    for (let row = range.top; row <= range.bottom; row++) {
      for (let column = range.left; column <= range.right; column++) {
        if (!level.tiles.has(`${column}/${row}`)) {
          const away = Math.hypot(column - (range.left + range.right) / 2, row - (range.top + range.bottom) / 2);
          missing.push({ column, row, away });
        }
      }
    }
    missing.sort((a, b) => a.away - b.away);
    for (const { column, row } of missing) {
      this.load(level, zoom, column, row);
    }
  }

  load(level, zoom, column, row) {
    const image = new Image();
    const columns = this.grid.columns(zoom);
    const x = columns === Infinity ? column : ((column % columns) + columns) % columns;
    const path = this.grid.tiles.replace("{z}", zoom).replace("{x}", x).replace("{y}", row);
    const tile = { image, column, row, address: path + this.suffix, state: "loading", tries: 0 };
    image.alt = "";
    image.draggable = false;
    image.decoding = "async";
    image.addEventListener("load", () => this.settle(tile, "loaded"));
    image.addEventListener("error", () => this.failed(tile));
    image.src = tile.address;
    level.tiles.set(`${column}/${row}`, tile);
    level.element.append(image);
    level.scale = undefined; // the new tile has no place yet
  }

  // failed tries a tile once more, later. It tries for about a minute while the server is away, as during a restart, and for as
  // long as the server says that it is busy: it may be making overviews that a file lacks.
  async failed(tile) {
    const answer = await fetch(tile.address, { cache: "no-store" }).catch(() => undefined);
    if (tile.state === "gone") {
      return;
    }
    const busy = answer?.status === 503 || answer?.status === 429;
    const away = !answer || answer.status === 502 || answer.status === 504;
    if (!busy && tile.tries > (away ? maxDoublings : 0)) {
      blankOut(tile);
      this.settle(tile, "failed");
      return;
    }
    const asked = 1000 * Number((busy && answer.headers.get("Retry-After")) || 0);
    const delay = busy ? retryDelay : retryDelay * 2 ** tile.tries;
    tile.tries = busy ? 0 : tile.tries + 1; // a server that is busy is there
    tile.retry = setTimeout(() => {
      tile.image.src = tile.address;
    }, Math.max(asked, delay));
  }

  settle(tile, state) {
    if (tile.state === "gone") {
      return;
    }
    tile.state = state;
    tile.image.className = state;
    this.dropCovered();
    this.onChange();
  }

  // place moves a level to where the view has it.
  place(level, zoom, view) {
    const scale = 2 ** (view.zoom - zoom);
    const pixels = 2 ** view.zoom;
    const left = Math.round(view.width / 2 + level.column * tilePixels * scale - view.x * pixels);
    const top = Math.round(view.height / 2 + level.row * tilePixels * scale - view.y * pixels);
    level.element.style.transform = `translate(${left}px, ${top}px)`;
    level.element.style.zIndex = zoom === this.current ? 1 : 0;
    if (level.scale !== scale) {
      level.scale = scale;
      level.tiles.forEach((tile) => fitTile(tile, level, scale));
    }
  }

  // dropCovered removes other levels once the current one is complete.
  dropCovered() {
    if (this.counts().loading > 0) {
      return;
    }
    for (const [zoom, level] of this.levels) {
      if (zoom !== this.current) {
        this.drop(level, () => true);
        level.element.remove();
        this.levels.delete(zoom);
      }
    }
  }

  // drop takes away tiles; a request that is under way ends with its image.
  drop(level, mayGo) {
    for (const [key, tile] of level.tiles) {
      if (mayGo(tile.column, tile.row, tile)) {
        tile.state = "gone";
        clearTimeout(tile.retry);
        tile.image.removeAttribute("src");
        tile.image.remove();
        level.tiles.delete(key);
      }
    }
  }

  // counts is how many tiles of the current level are in each state.
  counts() {
    const counts = { loading: 0, loaded: 0, failed: 0 };
    this.levels.get(this.current)?.tiles.forEach((tile) => counts[tile.state]++);
    return counts;
  }

  // failedAddress is where a tile of the current level should have come from, or undefined if none failed.
  failedAddress() {
    const tiles = this.levels.get(this.current)?.tiles.values() ?? [];
    return [...tiles].find((tile) => tile.state === "failed")?.address;
  }

  clear() {
    this.levels.forEach((level) => {
      this.drop(level, () => true);
      level.element.remove();
    });
    this.levels.clear();
  }
}

// blankOut puts an empty box in the place of a picture: browsers have signs of their own for pictures that did not come.
function blankOut(tile) {
  const blank = document.createElement("div");
  blank.style.cssText = tile.image.style.cssText;
  tile.image.replaceWith(blank);
  tile.image = blank;
}

// fitTile gives a tile its place in its level. All edges are at whole pixels, or there would be seams.
function fitTile({ image, column, row }, level, scale) {
  const edge = (tiles) => Math.round(tiles * tilePixels * scale);
  const [left, top] = [edge(column - level.column), edge(row - level.row)];
  image.style.left = `${left}px`;
  image.style.top = `${top}px`;
  image.style.width = `${edge(column - level.column + 1) - left}px`;
  image.style.height = `${edge(row - level.row + 1) - top}px`;
}
