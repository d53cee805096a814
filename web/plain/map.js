// A map that one can move: it turns pointers, the wheel and keys into a view, and lets Tiles show it.

import { Tiles } from "./tiles.js";

const beyondFinest = 6; // levels that one may zoom in past the last tiles
const sharpFrom = 2; // levels past the last tiles from which pixels are shown as squares
const fitBeyond = 3; // levels past the last tiles that show a small layer as a whole
const beyondCoarsest = 2; // levels that one may zoom out until the layer is small
const fitMargin = 0.94; // of the map that a whole layer fills
const keyStep = 96; // pixels

export class SlippyMap {
  constructor(element) {
    this.element = element;
    this.plane = document.createElement("div");
    this.plane.className = "plane";
    element.append(this.plane);
    this.pointers = new Map();
    this.view = { x: 0, y: 0, zoom: 0, width: 0, height: 0 };
    this.onView = () => {};
    this.onTiles = () => {};
    new ResizeObserver(() => this.resized()).observe(element);
    this.listen();
  }

  // open shows a grid with tiles of an extension, at a place { zoom, at: [x, y] } in its outside coordinates or as a whole.
  open(grid, extension, place) {
    this.tiles?.clear();
    this.grid = grid;
    this.tiles = new Tiles(this.plane, grid, extension, () => this.onTiles(this.tiles.counts()));
    this.measure();
    if (place) {
      this.goTo(place);
    } else {
      this.fit();
    }
  }

  // close shows nothing.
  close() {
    this.tiles?.clear();
    this.grid = undefined;
    cancelAnimationFrame(this.frame);
    this.frame = undefined;
  }

  goTo({ zoom, at }) {
    const [x, y] = this.grid.toPlane(at);
    this.whole = false;
    this.move({ x, y, zoom });
  }

  // fit shows the whole layer.
  fit() {
    const [left, top, right, bottom] = this.grid.area;
    const zoom = Math.log2(fitMargin * Math.min(
      this.view.width / Math.max(right - left, 1e-9), this.view.height / Math.max(bottom - top, 1e-9)));
    this.coarsest = Math.min(zoom, this.grid.minZoom) - beyondCoarsest;
    this.whole = true;
    this.move({ x: (left + right) / 2, y: (top + bottom) / 2, zoom: Math.min(zoom, this.grid.maxZoom + fitBeyond) });
  }

  retry() {
    this.tiles.clear();
    this.move({});
  }

  // move changes the view, keeps it on the layer, and draws it with the next frame.
  move(change) {
    const view = { ...this.view, ...change };
    const [left, top, right, bottom] = this.grid.area;
    view.zoom = Math.min(Math.max(view.zoom, this.coarsest ?? -beyondCoarsest), this.grid.maxZoom + beyondFinest);
    view.x = Math.min(Math.max(view.x, left), right);
    view.y = Math.min(Math.max(view.y, top), bottom);
    this.view = view;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.plane.classList.toggle("sharp", this.view.zoom > this.grid.maxZoom + sharpFrom);
      this.tiles.show(this.view);
      this.onView(this.view);
      this.onTiles(this.tiles.counts());
    });
  }

  pan(right, down) {
    this.whole = false;
    const pixels = 2 ** this.view.zoom;
    this.move({ x: this.view.x + right / pixels, y: this.view.y + down / pixels });
  }

  // zoomAt changes the zoom; what is at a point of the screen stays there.
  zoomAt(zoom, [right, down] = [this.view.width / 2, this.view.height / 2]) {
    const { width, height, zoom: before } = this.view;
    const [fromMiddle, belowMiddle] = [right - width / 2, down - height / 2];
    const limited = Math.min(Math.max(zoom, this.coarsest ?? 0), this.grid.maxZoom + beyondFinest);
    const shift = 1 / 2 ** before - 1 / 2 ** limited;
    this.whole = false;
    this.move({ x: this.view.x + fromMiddle * shift, y: this.view.y + belowMiddle * shift, zoom: limited });
  }

  // glide zooms by steps, smoothly unless the person wants no motion.
  glide(steps, point) {
    const from = this.view.zoom;
    const to = Math.round((from + steps) * 2) / 2;
    const duration = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 180; // milliseconds
    const start = performance.now();
    const turn = (this.turn = Symbol("glide"));
    const step = (now) => {
      if (turn !== this.turn || !this.grid) {
        return;
      }
      const done = duration ? Math.min(Math.max((now - start) / duration, 0), 1) : 1;
      this.zoomAt(from + (to - from) * (1 - (1 - done) ** 3), point);
      if (done < 1) {
        requestAnimationFrame(step);
      }
    };
    requestAnimationFrame(step);
  }

  measure() {
    this.view.width = this.element.clientWidth;
    this.view.height = this.element.clientHeight;
  }

  resized() {
    this.measure();
    if (!this.grid) {
      return;
    }
    if (this.whole) {
      this.fit();
    } else {
      this.move({});
    }
  }

  listen() {
    const on = (type, act, options) => this.element.addEventListener(type, (event) => this.grid && act(event), options);
    on("pointerdown", (event) => this.grab(event));
    on("pointermove", (event) => this.drag(event));
    for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) {
      on(type, (event) => this.release(event));
    }
    on("wheel", (event) => this.wheel(event), { passive: false });
    on("dblclick", (event) => this.glide(event.shiftKey ? -1 : 1, this.pointOf(event)));
    on("keydown", (event) => this.key(event));
  }

  pointOf(event) {
    const box = this.element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  grab(event) {
    if (event.button !== 0) {
      return;
    }
    this.turn = undefined;
    this.element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.pointOf(event));
    this.element.classList.add("held");
  }

  // drag moves the map with one pointer, and zooms it with two.
  drag(event) {
    if (!this.pointers.has(event.pointerId)) {
      return;
    }
    const before = [...this.pointers.values()];
    this.pointers.set(event.pointerId, this.pointOf(event));
    const after = [...this.pointers.values()];
    const middle = (points) => [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
    const [was, is] = [middle(before), middle(after)];
    this.pan(was[0] - is[0], was[1] - is[1]);
    if (after.length === 2) {
      const spread = ([a, b]) => Math.max(Math.hypot(a[0] - b[0], a[1] - b[1]), 1);
      this.zoomAt(this.view.zoom + Math.log2(spread(after) / spread(before)), is);
    }
  }

  release(event) {
    this.pointers.delete(event.pointerId);
    if (this.pointers.size === 0) {
      this.element.classList.remove("held");
    }
  }

  wheel(event) {
    event.preventDefault();
    this.turn = undefined;
    const pixels = event.deltaY * [1, 16, 400][event.deltaMode];
    const speed = event.ctrlKey ? 80 : 300; // a pinch on a touch pad comes as a wheel with the control key
    this.zoomAt(this.view.zoom - Math.min(Math.max(pixels / speed, -1), 1), this.pointOf(event));
  }

  key(event) {
    const acts = {
      ArrowLeft: () => this.pan(-keyStep, 0),
      ArrowRight: () => this.pan(keyStep, 0),
      ArrowUp: () => this.pan(0, -keyStep),
      ArrowDown: () => this.pan(0, keyStep),
      "+": () => this.glide(1),
      "=": () => this.glide(1),
      "-": () => this.glide(-1),
      0: () => this.fit(),
      Home: () => this.fit(),
    };
    if (acts[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      acts[event.key]();
    }
  }
}
