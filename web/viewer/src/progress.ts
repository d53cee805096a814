// The progress of the map's tiles, and their errors.

import type { Refusal } from "./ask";
import { byID } from "./dom";
import type { LayerDocument } from "./documents";
import type { MapView } from "./mapview";
import { showNotice } from "./notice";
import type { Notice } from "./notices";
import type { Scene, Session } from "./session";

const slowMilliseconds = 1500; // after which the user wonders
const askMilliseconds = 1000;
const firstAskMilliseconds = 300; // if something is known to be loading

export class Progress {
  /** onRefusal receives the server's reason to reject the pictures, or undefined if it accepts them. */
  onRefusal: (message: string | undefined) => void = () => {};

  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitingFor: Notice | undefined; // the notice about the layer's progress

  constructor(
    private readonly map: MapView,
    private readonly session: Session,
  ) {
    map.onTiles = () => this.#show();
  }

  /** begin shows at once what the user has to wait for, and requests no pictures that would wait too. */
  begin(scene: Scene): void {
    const documents = [scene.left, scene.right].flatMap((side) => side?.document ?? []);
    this.#waitingFor = documents.flatMap(noticesOf)[0];
    this.#failAtOnce(scene, documents);
    if (this.#waitingFor) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#ask(), firstAskMilliseconds);
    }
    this.#show();
  }

  // #failAtOnce makes tiles of a layer fail at once instead of waiting, as long as its overviews are missing.
  #failAtOnce({ left, right }: Scene, documents: readonly LayerDocument[]): void {
    for (const [name, side] of [["left", left], ["right", right]] as const) {
      const document = documents.find(({ id }) => id === side?.document.id);
      this.map.tiles[name].setFailAtOnce(document?.overviews !== undefined);
    }
  }

  #show(): void {
    const refusal = this.#refusal();
    byID("loading").hidden = !this.#isLoading();
    byID("map").setAttribute("aria-busy", String(this.#isLoading()));
    this.onRefusal(refusal?.status === 400 ? refusal.message : undefined);
    if (this.#isWaiting() || this.#waitingFor) {
      this.#timer ??= setTimeout(() => void this.#ask(), slowMilliseconds);
    } else {
      clearTimeout(this.#timer);
      this.#timer = this.#waitingFor = undefined;
    }
    showNotice("tiles", refusal ? this.#explain(refusal) : this.#waitingFor);
  }

  #explain({ status, message, isAway, isDamage, isFinal }: Refusal): Notice {
    const again = () => {
      this.map.tiles.left.again();
      this.map.tiles.right.again();
    };
    if (isAway) {
      return { text: `${message} It is asked again every few seconds.`, isError: true, again };
    }
    if (status === 503) {
      return this.#waitingFor ?? { text: `The server is busy: ${message}`, again };
    }
    if (isDamage) {
      return { text: "This file is damaged; part of it is lost.", isError: true };
    }
    return { text: `Tiles could not be rendered: ${message}`, isError: true, ...(!isFinal && { again }) };
  }

  /** isDone reports whether all pictures in view have arrived. */
  get isDone(): boolean {
    return !this.#isLoading() && !this.#isWaiting() && !this.#refusal();
  }

  // Pictures may wait for statistics or for overviews that are being built. The layer's JSON has their progress.
  async #ask(): Promise<void> {
    const { scene, catalog } = this.session;
    const sides = [scene?.left, scene?.right].filter((side) => side !== undefined);
    const answers = await Promise.all(sides.map((side) => catalog.state(side.document.id).catch(() => undefined)));
    const documents = answers.filter((document) => document !== undefined);
    this.#waitingFor = documents.flatMap(noticesOf)[0];
    if (scene && scene === this.session.scene && documents.length === sides.length) {
      this.#failAtOnce(scene, documents);
    }
    this.#timer = this.#isWaiting() || this.#waitingFor ? setTimeout(() => void this.#ask(), askMilliseconds) : undefined;
    this.#show();
  }

  #isLoading(): boolean {
    return this.map.tiles.left.loading + this.map.tiles.right.loading > 0;
  }

  #isWaiting(): boolean {
    return this.map.tiles.left.isWaiting || this.map.tiles.right.isWaiting;
  }

  #refusal(): Refusal | undefined {
    return this.map.tiles.left.refusal ?? this.map.tiles.right.refusal;
  }
}

function noticesOf(document: LayerDocument): Notice[] {
  const { overviews, statistics, title } = document;
  if (overviews) {
    return [{ text: `Preparing overviews of ${title}: ${percent(overviews.progress)}`, subject: `overviews of ${title}`, progress: overviews.progress }];
  }
  if (statistics.progress !== undefined) {
    return [{ text: `Statistics of ${title} are being taken: ${percent(statistics.progress)}`, subject: `statistics of ${title}`, progress: statistics.progress }];
  }
  return [];
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}
