// The state that the page shows and that its address contains, and all changes of it. It knows nothing about the display.

import { checkAddress } from "./addresses";
import { ask, type Refusal } from "./ask";
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

/** Everything that the page shows. */
export interface Scene {
  readonly left: SideView;
  readonly right: SideView | undefined;
  readonly split: number;
  readonly space: SpaceName;
  readonly active: SideName; // the side that the panel edits
}

/** activeSide returns the side that the panel edits. */
export function activeSide(scene: Scene): SideView {
  return (scene.active === "right" ? scene.right : undefined) ?? scene.left;
}

type Step = "new" | "same"; // in the browser's history

export class Session {
  /** onShow receives what to show, and the place to move the map to, if any. */
  onShow: (scene: Scene, place: Place | undefined) => void = () => {};

  /** onFail receives an error message and the action that tries again. */
  onFail: (problem: string, again?: () => void) => void = () => {};

  readonly catalog = new Catalog();
  scene: Scene | undefined;

  #state: State | undefined;
  #active: SideName = "left";
  #written = ""; // the state in the address
  #turn = 0; // number of the latest change; earlier ones that finish late are discarded

  /** follow shows the state in the page's address, or else the layer that the server proposes. */
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
    const turn = ++this.#turn;
    const { state: possible, problem } = await this.#withPossibleStyles(state);
    if (turn !== this.#turn) {
      return; // the user chose something else meanwhile
    }
    await this.#go(possible, "same", possible.place);
    if (named && state.left.layer !== named.left.layer) {
      this.onFail(`There is no layer “${named.left.layer}” here; this is another one.`);
    } else if (problem !== undefined) {
      this.onFail(problem);
    }
  }

  /** reload shows the same state with the current documents of the layers. */
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

  /** compare opens a right side with the same layer, or closes the right side. */
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

  /** notePlace stores the position of the map. */
  notePlace(place: Place): void {
    if (this.#state) {
      this.#state = { ...this.#state, place };
      this.#write("same");
    }
  }

  /** problemOf returns the server's reason to reject a style of the active side. */
  async problemOf(style: Style): Promise<string | undefined> {
    return (await refusalOf({ layer: this.#activeLayer() ?? "", style }))?.message;
  }

  #activeLayer(): string | undefined {
    return (this.#active === "right" ? this.#state?.right : undefined)?.layer ?? this.#state?.left.layer;
  }

  // #withPossibleStyles replaces each style that cannot be shown by the default one, and says why.
  async #withPossibleStyles(state: State): Promise<{ state: State; problem: string | undefined }> {
    const problems = await Promise.all([state.left, state.right].map((side) => side && this.#reasonImpossible(side)));
    const possible = (side: Side, problem: string | undefined): Side => (problem === undefined ? side : { ...side, style: {} });
    const left = possible(state.left, problems[0]);
    const right = state.right && possible(state.right, problems[1]);
    return { state: { ...state, left, ...(right && { right }) }, problem: problems[0] ?? problems[1] };
  }

  // #reasonImpossible returns undefined also for a layer that cannot be loaded: #go reports that error.
  async #reasonImpossible(side: Side): Promise<string | undefined> {
    const { name } = side.style;
    const layer = name === undefined ? undefined : await this.catalog.layer(side.layer).catch(() => undefined);
    if (layer && !layer.styles.some((style) => style.name === name)) {
      return `This layer has no style “${name}”; it is shown as usual.`;
    }
    const refusal = Object.keys(side.style).length > 0 ? await refusalOf(side) : undefined;
    return refusal?.status === 400 ? `The style in the address cannot be shown: ${sentence(refusal.message)} The layer is shown as usual.` : undefined;
  }

  // #go shows a state. The map moves to place. Without one it keeps its earlier place, if the layer is there.
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

// refusalOf returns the server's reason to reject a layer in a style.
async function refusalOf({ layer, style }: Side): Promise<Refusal | undefined> {
  try {
    await ask(checkAddress(layer, parametersOf(style)));
    return undefined;
  } catch (error) {
    return error as Refusal;
  }
}

function sentence(text: string): string {
  return `${text.replace(/^invalid style: /, "").replace(/\.$/, "")}.`;
}
