// The page: it shows the state of the session, and passes the user's actions to it.

import type { Coordinate } from "ol/coordinate";
import { byID, element } from "./dom";
import { Divider } from "./divider";
import { copyText, Elsewhere } from "./elsewhere";
import { Insight } from "./insight";
import { startKeys, type Key } from "./keys";
import { LayerList } from "./layerlist";
import { MapView } from "./mapview";
import { showNotice } from "./notice";
import { Progress } from "./progress";
import { Readout } from "./readout";
import { showScale } from "./scale";
import { activeSide, Session, type Scene, type SideView } from "./session";
import { Sheet } from "./sheet";
import { showSideTitles } from "./sidetitles";
import { spacesOf, tileSetIn } from "./space";
import { showSpaces } from "./spacechoice";
import type { Place } from "./state";
import { parametersOf } from "./style";
import { StylePanel } from "./stylepanel";
import { Tabs, type TabName } from "./tabs";
import { toggleTheme, startTheme } from "./theme";

const refreshMilliseconds = 3 * 60 * 1000;

export class Page {
  #session = new Session();
  #map = new MapView(byID("map"));
  #list = new LayerList(this.#session.catalog);
  #tabs = new Tabs();
  #sheet = new Sheet();
  #panel = new StylePanel();
  #insight = new Insight(this.#panel);
  #elsewhere = new Elsewhere();
  #divider = new Divider();
  #readout = new Readout();
  #progress = new Progress(this.#map, this.#session);

  constructor() {
    startTheme();
    startKeys(this.#keys());
    this.#session.onShow = (scene, place) => this.#show(scene, place);
    this.#session.onFail = (text, again) => showNotice("page", { text, isError: true, ...(again && { again }) });
    this.#listenToMap();
    this.#listenToPanel();
    this.#listenToButtons();
  }

  async start(): Promise<void> {
    const { catalog } = this.#session;
    showMessage("Loading layers…");
    try {
      await catalog.load();
    } catch (error) {
      showMessage((error as Error).message, () => void this.start());
      return;
    }
    const { total } = catalog;
    document.body.classList.toggle("no-map", total === 0);
    byID("tabs").hidden = byID("pages").hidden = total === 0;
    showMessage("");
    if (total === 0) {
      byID("message").replaceChildren(byID<HTMLTemplateElement>("empty").content.cloneNode(true));
      return;
    }
    this.#showList();
    await this.#session.follow();
  }

  // #refresh loads the list of layers again while the page is visible. If the server does not answer, the list stays.
  async #refresh(): Promise<void> {
    const { catalog, scene } = this.#session;
    const shown = scene ? sidesOf(scene).map((side) => side.document.id) : [];
    if (document.visibilityState !== "visible" || !(await catalog.refresh(shown))) {
      return;
    }
    if (!scene) {
      await this.start();
      return;
    }
    this.#showList();
    this.#session.reload();
  }

  #showList(): void {
    const { total } = this.#session.catalog;
    byID("count").textContent = total === 1 ? "1 layer" : `${total.toLocaleString("en")} layers`;
    this.#list.show();
  }

  #show(scene: Scene, place: Place | undefined): void {
    showNotice("page", undefined);
    byID("nothing").hidden = true; // until the tiles are loaded
    const { document: layer, style } = activeSide(scene);
    this.#map.split(scene.split);
    this.#map.show(scene.space, scene.left, scene.right, place);
    document.title = `${layer.title} – tileserver`;
    byID("map").setAttribute("aria-label", `Map of ${layer.title}`);
    byID("compare").setAttribute("aria-pressed", String(Boolean(scene.right)));
    this.#refreshPin();
    this.#list.mark(sidesOf(scene).map((side) => side.document.id), layer);
    this.#progress.begin(scene);
    this.#divider.show(scene.right && scene.split);
    showSideTitles(scene);
    showAttribution(scene);
    showSpaces(scene.left.document, scene.space, (space) => this.#session.changeSpace(space));
    this.#panel.show(layer, style, scene.right && `${scene.active} side`);
    void this.#insight.show(layer, style);
    this.#showElsewhere(scene);
  }

  #refreshPin(): void {
    const { space, pin } = this.#map;
    if (space && pin.place) {
      pin.refresh(this.#sideAt(pin.place), space);
    }
  }

  // If the layer has no tiles in the current space, the panel shows a space in which it has.
  #showElsewhere({ space: shown, ...scene }: Scene): void {
    const { document: layer, style } = activeSide({ space: shown, ...scene });
    const space = tileSetIn(layer, shown) ? shown : spacesOf(layer)[0] ?? "pixels";
    const set = tileSetIn(layer, space);
    if (set) {
      this.#elsewhere.show({ layer, set, space, style: parametersOf(style), base: document.baseURI });
    }
  }

  #listenToMap(): void {
    this.#map.onIdle = () => {
      byID("nothing").hidden = !this.#progress.isDone || !this.#map.isBlank;
      byID("nothing-fit").hidden = this.#map.showsWhole;
    };
    this.#progress.onRefusal = (message) => this.#panel.refuse(message);
    this.#map.onView = (place, isStill) => {
      const { space, center } = this.#map;
      if (space && center) {
        showScale(space.unitsPerPixel(center, space.resolution(place.zoom)), space.unit);
        if (isStill) {
          this.#session.notePlace(place);
          this.#readout.clear(space.describe(center));
        }
      }
    };
    this.#map.onPointer = (at) => {
      const { space, center } = this.#map;
      if (space && center) {
        const side = at && this.#sideAt(at);
        at && side ? this.#readout.show(side, space, at) : this.#readout.clear(space.describe(center));
      }
    };
    this.#map.onPick = (at) => {
      const [{ space, pin }, side] = [this.#map, this.#sideAt(at)];
      if (space && side) {
        pin.show(side, space, at);
      }
    };
    this.#divider.onMove = (at, isDone) => {
      this.#map.split(at);
      this.#session.moveDivider(at, isDone);
    };
  }

  #sideAt(at: Coordinate): SideView | undefined {
    const { scene } = this.#session;
    return this.#map.sideAt(at) === "right" ? scene?.right : scene?.left;
  }

  #listenToPanel(): void {
    this.#list.onChoose = (id) => this.#choose(id);
    this.#list.onFail = (text) => showNotice("page", { text, isError: true });
    this.#panel.onChange = (style) => this.#session.restyle(style);
    this.#panel.check = (style) => this.#session.problemOf(style);
    this.#tabs.onShow = () => this.#sheet.open();
  }

  #listenToButtons(): void {
    const on = (id: string, act: () => void) => byID(id).addEventListener("click", act);
    on("zoom-in", () => this.#map.zoomBy(1));
    on("zoom-out", () => this.#map.zoomBy(-1));
    on("zoom-fit", () => this.#map.fit());
    on("nothing-fit", () => this.#map.fit());
    on("compare", () => this.#session.compare());
    on("full-screen", toggleFullScreen);
    on("side-left", () => this.#session.activate("left"));
    on("side-right", () => this.#session.activate("right"));
    on("share", () => void copyText(location.href, byID("share")));
    on("help-open", openHelp);
    byID("full-screen").hidden = !document.fullscreenEnabled; // some phones do not support it
    byID("skip").addEventListener("click", (event) => {
      event.preventDefault();
      byID("panel").focus();
    });
    document.addEventListener("fullscreenchange", () =>
      byID("full-screen").setAttribute("aria-pressed", String(Boolean(document.fullscreenElement))));
    document.addEventListener("visibilitychange", () => void this.#refresh());
    setInterval(() => void this.#refresh(), refreshMilliseconds);
    for (const event of ["popstate", "hashchange"]) {
      window.addEventListener(event, () => void this.#session.follow());
    }
  }

  #keys(): Key[] {
    const open = (name: TabName) => () => {
      this.#tabs.show(name);
      this.#sheet.open();
    };
    return [
      { key: "arrows", shown: "← ↑ → ↓", does: "move the map, when it has the focus" },
      { key: "+", does: "zoom in", act: () => this.#map.zoomBy(1) },
      { key: "-", shown: "−", does: "zoom out", act: () => this.#map.zoomBy(-1) },
      { key: "0", does: "show the whole layer", act: () => this.#map.fit() },
      { key: "[", does: "the layer before", act: () => void this.#step(-1) },
      { key: "]", does: "the next layer", act: () => void this.#step(1) },
      { key: "/", does: "search layers", act: () => { open("layers")(); this.#list.focusFilter(); } },
      { key: "L", does: "layers", act: open("layers") },
      { key: "S", does: "style", act: open("style") },
      { key: "U", does: "use elsewhere", act: open("use") },
      { key: "C", does: "compare two layers or styles", act: () => this.#session.compare() },
      { key: "X", does: "style the other side", act: () => this.#session.activate(this.#session.scene?.active === "left" ? "right" : "left") },
      { key: "P", does: "map or pixels", act: () => this.#nextSpace() },
      { key: "F", does: "full screen", act: toggleFullScreen },
      { key: "T", does: "dark or light", act: toggleTheme },
      { key: "?", does: "this list", act: openHelp },
    ];
  }

  // #choose shows a layer. If it is shown already, the map zooms to its extent.
  #choose(id: string): void {
    const { scene } = this.#session;
    if (scene && activeSide(scene).document.id === id) {
      this.#map.fit();
    } else {
      this.#session.chooseLayer(id);
    }
  }

  async #step(step: number): Promise<void> {
    const { scene } = this.#session;
    const next = scene && await this.#list.neighbor(activeSide(scene).document, step);
    if (next) {
      this.#choose(next);
    }
  }

  #nextSpace(): void {
    const { scene } = this.#session;
    const spaces = scene ? spacesOf(scene.left.document) : [];
    const next = spaces[(spaces.indexOf(scene?.space ?? "map") + 1) % spaces.length];
    if (next) {
      this.#session.changeSpace(next);
    }
  }
}

function sidesOf({ left, right }: Scene): SideView[] {
  return right ? [left, right] : [left];
}

function showAttribution(scene: Scene): void {
  const names = new Set(sidesOf(scene).map((side) => side.document.attribution).filter(Boolean));
  byID("attribution").textContent = [...names].join(" · ");
  byID("attribution").hidden = names.size === 0;
}

// showMessage shows a message in place of the layers, with a button to try again if that makes sense.
function showMessage(text: string, again?: () => void): void {
  const button = again && element("button", { type: "button", onclick: again }, "Try again");
  byID("message").replaceChildren(text, ...(button ? [" ", button] : []));
  byID("message").classList.toggle("error", Boolean(again));
}

function openHelp(): void {
  byID<HTMLDialogElement>("help").showModal();
}

function toggleFullScreen(): void {
  void (document.fullscreenElement ? document.exitFullscreen() : byID("viewer").requestFullscreen?.());
}
