// The map: one center and zoom, and the tiles of one side or two.

import OpenLayersMap from "ol/Map";
import View from "ol/View";
import { containsExtent } from "ol/extent";
import type { Coordinate } from "ol/coordinate";
import { defaults as defaultInteractions } from "ol/interaction/defaults";
import { getRenderPixel } from "ol/render";
import type RenderEvent from "ol/render/Event";
import { later } from "./dom";
import { Pin } from "./pin";
import { placeAt, spaceOf, type Space } from "./space";
import type { SideView } from "./session";
import type { Place, SideName, SpaceName } from "./state";
import { SideTiles } from "./tiles";

const closestZooms = 5; // beyond the layer's own pixels
const fitPaddingPixels = 56; // room for the buttons, if the map is large enough
const blankStep = 4; // pixels between those that are checked
const idleMilliseconds = 150;
const zoomMilliseconds = 220;

export class MapView {
  /** onView receives the position of the map; place is set only once it stands still. */
  onView: (place: Place, isStill: boolean) => void = () => {};

  /** onPointer receives the place under the pointer, or undefined. */
  onPointer: (at: Coordinate | undefined) => void = () => {};

  /** onPick receives the place that the user clicked or tapped. */
  onPick: (at: Coordinate) => void = () => {};

  /** onTiles is called when tiles start, arrive or fail. */
  onTiles: () => void = () => {};

  /** onIdle is called when everything in view has been drawn. */
  onIdle: () => void = () => {};

  readonly tiles: Record<SideName, SideTiles> = { left: new SideTiles(), right: new SideTiles() };

  readonly pin: Pin;

  space: Space | undefined;

  #split = 0.5;
  #isSplit = false;
  #shown = ""; // layer and space
  #map: OpenLayersMap;

  constructor(private readonly target: HTMLElement) {
    this.#map = new OpenLayersMap({
      target,
      controls: [],
      interactions: defaultInteractions({ altShiftDragRotate: false, pinchRotate: false }),
      layers: [this.tiles.left.layer, this.tiles.right.layer],
    });
    this.pin = new Pin(this.#map);
    this.tiles.left.onChange = () => this.onTiles();
    this.tiles.right.onChange = () => this.onTiles();
    this.#map.on("moveend", () => this.#notifyView(true));
    this.#map.on("rendercomplete", later(idleMilliseconds, () => this.onIdle()));
    this.#map.on("pointermove", (event) => this.onPointer(event.dragging ? undefined : event.coordinate));
    this.#map.on("click", (event) => this.onPick(event.coordinate));
    target.addEventListener("pointerleave", () => this.onPointer(undefined));
    this.#clip("left");
    this.#clip("right");
  }

  /** show puts layers on the map. The map moves to a place or to the extent of a new layer, or stays. */
  show(name: SpaceName, left: SideView, right: SideView | undefined, place: Place | undefined): void {
    const shown = `${left.document.id} ${name}`;
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.space = spaceOf(left.document, name);
      this.#map.setView(this.#viewOf(this.space, name));
      this.#map.once("postrender", () => this.#map.render()); // "moveend" needs a second frame, and no tile may cause one
      this.#goTo(this.space, place);
    } else if (place) {
      this.#goTo(this.space as Space, place);
    }
    this.#isSplit = right !== undefined;
    this.tiles.left.show(left.document, left.style, name);
    this.tiles.right.show(right?.document, right?.style ?? {}, name);
    this.#map.render();
  }

  /** split puts the divider between 0 and 1. Without a right side it has no effect. */
  split(at: number): void {
    this.#split = at;
    this.#map.render();
  }

  /** sideAt returns the side that shows a place. */
  sideAt(at: Coordinate): SideName {
    const pixel = this.#map.getPixelFromCoordinate(at);
    const isRight = this.#isSplit && (pixel?.[0] ?? 0) > this.#split * (this.#map.getSize()?.[0] ?? 0);
    return isRight ? "right" : "left";
  }

  get center(): Coordinate | undefined {
    return this.#map.getView().getCenter();
  }

  /** isBlank reports whether no layer has a pixel in view. */
  get isBlank(): boolean {
    return ![...this.target.querySelectorAll("canvas")].some(hasPixels);
  }

  /** showsWhole reports whether all of the layer is in view. */
  get showsWhole(): boolean {
    return this.space !== undefined && containsExtent(this.#map.getView().calculateExtent(), this.space.extent);
  }

  zoomBy(levels: number): void {
    const view = this.#map.getView();
    view.cancelAnimations();
    view.animate({ zoom: (view.getZoom() ?? 0) + levels, duration: duration() });
  }

  fit(): void {
    if (this.space) {
      this.#fit(this.space, duration());
    }
  }

  #viewOf(space: Space, name: SpaceName): View {
    const minResolution = space.finest / 2 ** closestZooms;
    const world = space.resolution(0);
    const whole = Math.max(...sidesOf(space)) / 128;
    const view = new View({
      projection: space.projection,
      minResolution,
      maxResolution: name === "pixels" ? whole : Math.max(world, whole),
      enableRotation: false,
      multiWorld: true,
      smoothResolutionConstraint: true,
      showFullExtent: true,
    });
    view.on("change", () => this.#notifyView(false));
    return view;
  }

  #goTo(space: Space, place: Place | undefined): void {
    if (!place) {
      this.#fit(space, 0);
      return;
    }
    const view = this.#map.getView();
    view.setCenter(space.inside([place.x, place.y]));
    view.setResolution(space.resolution(place.zoom));
  }

  #fit(space: Space, milliseconds: number): void {
    this.#map.updateSize();
    const room = Math.min(...(this.#map.getSize() ?? [0]));
    const [beside, left] = [Math.min(fitPaddingPixels, room / 6), Math.min(fitPaddingPixels, room / 16)];
    const padding = [beside, beside, beside, left]; // no buttons on the left
    this.#map.getView().fit(space.extent, { padding, duration: milliseconds });
  }

  #notifyView(isStill: boolean): void {
    const view = this.#map.getView();
    const [center, resolution] = [view.getCenter(), view.getResolution()];
    if (this.space && center && resolution) {
      this.onView(placeAt(this.space, center, resolution), isStill);
    }
  }

  // clip draws each side only on its side of the divider.
  #clip(side: SideName): void {
    const { layer } = this.tiles[side];
    layer.on("prerender", (event: RenderEvent) => {
      const context = event.context;
      const [width = 0, height = 0] = this.#map.getSize() ?? [];
      if (!(context instanceof CanvasRenderingContext2D) || !this.#isSplit) {
        return;
      }
      const middle = width * this.#split;
      const [from, to] = side === "left" ? [0, middle] : [middle, width];
      const [left = 0, top = 0] = getRenderPixel(event, [from, 0]);
      const [right = 0, bottom = 0] = getRenderPixel(event, [to, height]);
      context.save();
      context.beginPath();
      context.rect(left, top, right - left, bottom - top);
      context.clip();
    });
    layer.on("postrender", (event: RenderEvent) => {
      if (event.context instanceof CanvasRenderingContext2D && this.#isSplit) {
        event.context.restore();
      }
    });
  }
}

function sidesOf({ extent: [left, bottom, right, top] }: Space): [number, number] {
  return [right - left, top - bottom];
}

function hasPixels(canvas: HTMLCanvasElement): boolean {
  const [width, height] = [Math.ceil(canvas.width / blankStep), Math.ceil(canvas.height / blankStep)];
  const context = width * height > 0 ? new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true }) : null;
  if (!context) {
    return false;
  }
  context.imageSmoothingQuality = "medium"; // so that thin lines stay visible
  context.drawImage(canvas, 0, 0, width, height);
  return new Uint32Array(context.getImageData(0, 0, width, height).data.buffer).some((pixel) => pixel !== 0);
}

function duration(): number {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : zoomMilliseconds;
}
