// What is shown, as the address of the page has it, and all ways to change it. It knows nothing of how that looks.

import { checkAddress } from "./addresses";
import { ask } from "./ask";
import { Catalog } from "./catalog";
import type { LayerDocument } from "./documents";
import { holds, spacesOf } from "./space";
import { addressOf, stateOf, withSide, type Place, type Side, type SideName, type SpaceName, type State } from "./state";
import { parametersOf, type Style } from "./style";

/** A layer as one side shows it. */
export interface SideView {
  readonly document: LayerDocument;
  readonly style: Style;
}

/** All that there is to be seen. */
export interface Scene {
  readonly left: SideView;
  readonly right: SideView | undefined;
  readonly split: number;
  readonly space: SpaceName;
  readonly active: SideName; // which the panel is about
}

/** activeSide is the side that the panel is about. */
export function activeSide(scene: Scene): SideView {
  return (scene.active === "right" ? scene.right : undefined) ?? scene.left;
}

type Step = "new" | "same"; // for the way back

export class Session {
  /** onShow is told what is to be seen; the view moves to a place, or as it has to. */
  onShow: (scene: Scene, place: Place | undefined) => void = () => {};

  /** onFail is told what went wrong and what there is to try. */
  onFail: (problem: string, again?: () => void) => void = () => {};

  readonly catalog = new Catalog();
  scene: Scene | undefined;

  #state: State | undefined;
  #active: SideName = "left";
  #written = ""; // what the address says
  #turn = 0; // of those who change the state, the last one wins

  /** follow shows what the address of the page says, or else the layer that the server names. */
  async follow(): Promise<void> {
    const { catalog } = this;
    const named = stateOf(location.hash);
    if (catalog.start === undefined || (named && location.hash === this.#written)) {
      return;
    }
    let state: State = { left: { layer: catalog.start, style: {} }, split: 0.5 };
    if (named && await catalog.has(named.left.layer)) {
      const { right, ...alone } = named;
      state = right && await catalog.has(right.layer) ? named : alone;
    }
    this.#active = state.right ? this.#active : "left";
    const { state: known, unknown } = await this.#withKnownStyles(state);
    await this.#go(known, "same", known.place);
    if (named && state.left.layer !== named.left.layer) {
      this.onFail(`There is no layer “${named.left.layer}” here; this is another one.`);
    } else if (unknown !== undefined) {
      this.onFail(`This layer has no style “${unknown}”; it is shown as usual.`);
    }
  }

  /** reload shows the same with what has become of the layers. */
  reload(): void {
    if (this.#state) {
      void this.#go(this.#state, "same");
    }
  }

  /** chooseLayer puts another layer on the active side. */
  chooseLayer(id: string): void {
    if (!this.#state) {
      return;
    }
    const { place, ...state } = withSide(this.#state, this.#active, { layer: id, style: {} });
    void this.#go(state, "new", this.#active === "left" ? undefined : place, place);
  }

  /** restyle shows the active side in another style. */
  restyle(style: Style): void {
    const layer = this.#activeLayer();
    if (this.#state && layer !== undefined) {
      void this.#go(withSide(this.#state, this.#active, { layer, style }), "same");
    }
  }

  /** compare puts the same once more behind a divider, or takes that away. */
  compare(): void {
    if (this.#state) {
      const { right, ...alone } = this.#state;
      this.#active = right ? "left" : "right";
      void this.#go(right ? alone : { ...alone, right: alone.left, split: 0.5 }, "new");
    }
  }

  activate(side: SideName): void {
    if (this.#state?.right) {
      this.#active = side;
      void this.#go(this.#state, "same");
    }
  }

  changeSpace(space: SpaceName): void {
    if (this.#state && space !== this.scene?.space) {
      const { place: _, ...state } = this.#state;
      void this.#go({ ...state, space }, "new");
    }
  }

  moveDivider(split: number, isDone: boolean): void {
    if (this.#state) {
      this.#state = { ...this.#state, split };
      if (isDone) {
        this.#write("same");
      }
    }
  }

  /** notePlace remembers where the view is. */
  notePlace(place: Place): void {
    if (this.#state) {
      this.#state = { ...this.#state, place };
      this.#write("same");
    }
  }

  /** problemOf is what the server has against a style of the active side. */
  async problemOf(style: Style): Promise<string | undefined> {
    try {
      await ask(checkAddress(this.#activeLayer() ?? "", parametersOf(style)));
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  #activeLayer(): string | undefined {
    return (this.#active === "right" ? this.#state?.right : undefined)?.layer ?? this.#state?.left.layer;
  }

  // #withKnownStyles is a state without styles that its layers do not have, and the name of such a style. A layer that
  // cannot be asked for keeps its style: #go says what is wrong with it.
  async #withKnownStyles(state: State): Promise<{ state: State; unknown: string | undefined }> {
    let unknown: string | undefined;
    const known = async (side: Side): Promise<Side> => {
      const layer = side.style.name === undefined ? undefined : await this.catalog.layer(side.layer).catch(() => undefined);
      if (!layer || layer.styles.some(({ name }) => name === side.style.name)) {
        return side;
      }
      unknown ??= side.style.name;
      return { ...side, style: {} };
    };
    const left = await known(state.left);
    const right = state.right && await known(state.right);
    return { state: { ...state, left, ...(right && { right }) }, unknown };
  }

  // #go shows a state. The view moves to place, or else to where it was if the layer is there.
  async #go(state: State, step: Step, place?: Place, before?: Place): Promise<void> {
    const turn = ++this.#turn;
    let left: LayerDocument, right: LayerDocument | undefined;
    try {
      [left, right] = await Promise.all([this.catalog.layer(state.left.layer), state.right && this.catalog.layer(state.right.layer)]);
    } catch (error) {
      if (turn === this.#turn) {
        this.onFail((error as Error).message, () => void this.#go(state, step, place, before));
      }
      return;
    }
    if (turn !== this.#turn) {
      return;
    }
    const spaces = spacesOf(left);
    const space = state.space && spaces.includes(state.space) ? state.space : spaces[0] ?? "pixels";
    const to = place ?? (before && holds(left, space, before) ? before : undefined);
    this.#state = to ? { ...state, place: to } : state;
    this.scene = {
      left: { document: left, style: state.left.style },
      right: right && state.right && { document: right, style: state.right.style },
      split: state.split, space, active: this.#active,
    };
    this.#write(step);
    this.onShow(this.scene, to);
  }

  #write(step: Step): void {
    const address = this.#state ? addressOf(this.#state) : "";
    if (address === "" || address === location.hash) {
      this.#written = address;
      return;
    }
    this.#written = address;
    if (step === "new") {
      history.pushState(null, "", address);
    } else {
      history.replaceState(null, "", address);
    }
  }
}
