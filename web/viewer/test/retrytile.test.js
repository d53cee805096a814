import assert from "node:assert/strict";
import { test } from "node:test";
import TileQueue from "ol/TileQueue";
import TileState from "ol/TileState";
import { loadPicture, RetryTile } from "../src/retrytile";

const { IDLE, LOADING, LOADED, ERROR } = TileState;
const asked = [];

// A picture that comes or fails when the test says so; one whose address is taken away fails, as in browsers.
class Picture extends EventTarget {
  naturalWidth = 256;
  naturalHeight = 256;
  #address = "";
  get src() {
    return this.#address;
  }
  set src(address) {
    this.#address = address;
    address === "" ? this.dispatchEvent(new Event("error")) : asked.push(this);
  }
}
globalThis.Image = globalThis.HTMLImageElement = Picture;
const blank = { getContext: () => ({ canvas: blank, fillRect() {} }) };
globalThis.document = { createElement: () => blank };

const tileOf = (x) => new RetryTile([9, x, 0], IDLE, `/tiles/9/${x}/0`, null, loadPicture);
const end = (how) => asked.splice(0).forEach((picture) => picture.dispatchEvent(new Event(how)));

// turn is one of the map: it asks for what is in view and was not asked for yet, 16 at a time.
function turn(queue, inView) {
  inView.filter((tile) => tile.getState() === IDLE && !queue.isKeyQueued(tile.getKey())).forEach((tile) => queue.enqueue([tile]));
  queue.loadMoreTiles(16, 16);
}

function fail(tiles, queue) {
  tiles.forEach((tile) => tile.addEventListener("change", () => { tile.failures += tile.getState() === ERROR ? 1 : 0; }));
  for (let turns = 0; turns < tiles.length; turns++) {
    turn(queue, tiles);
    end("error");
  }
  assert.ok(tiles.every((tile) => tile.getState() === ERROR && tile.failures === 1));
}

test("tiles that failed are asked for again when they are in view, a few at a time", () => {
  const queue = new TileQueue((tile) => tile.tileCoord[1], () => {});
  const tiles = Array.from({ length: 100 }, (_, x) => tileOf(x));
  fail(tiles, queue);
  tiles.forEach((tile) => tile.putBack());
  assert.equal(asked.length, 0, "nobody has asked yet");
  turn(queue, tiles.slice(60, 80));
  assert.deepEqual(asked.map((picture) => picture.src), tiles.slice(60, 76).map((tile) => tile.address));
  end("load");
  turn(queue, tiles.slice(60, 80));
  end("load");
  assert.deepEqual(tiles.map((tile) => tile.getState()), tiles.map((_, x) => (x >= 60 && x < 80 ? LOADED : IDLE)));
  assert.equal(queue.getTilesLoading(), 0);
});

test("a tile that is stopped makes room and may be asked for again", () => {
  const queue = new TileQueue(() => 1, () => {});
  const tile = tileOf(0);
  tile.addEventListener("change", () => { tile.failures += tile.getState() === ERROR ? 1 : 0; });
  turn(queue, [tile]);
  assert.equal(tile.getState(), LOADING);
  asked.length = 0;
  tile.stop();
  assert.deepEqual([tile.getState(), queue.getTilesLoading()], [ERROR, 0]);
  tile.putBack();
  turn(queue, [tile]);
  end("load");
  assert.equal(tile.getState(), LOADED);
  tile.stop();
  tile.putBack();
  assert.equal(tile.getState(), LOADED, "what has come stays");
});
