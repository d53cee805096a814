package web_test

import (
	"fmt"
	"slices"
	"testing"
)

// afterFailures is a module that shows one tile, whose answers are given: a status, or 0 for none. It
// writes how the tile ends, and the seconds until each further request. Timers end at once.
const afterFailures = `const answers = %s, waits = [];
const element = () => ({ style: {}, append() {}, remove() {}, removeAttribute() {}, replaceWith() {} });
globalThis.window = { devicePixelRatio: 1 };
globalThis.document = { createElement: element };
globalThis.clearTimeout = () => {};
globalThis.setTimeout = (call, milliseconds) => waits.push(milliseconds / 1000) && queueMicrotask(call);
globalThis.Image = class {
  style = {};
  listeners = {};
  addEventListener(name, call) { this.listeners[name] = call; }
  removeAttribute() {}
  remove() {}
  replaceWith() {}
  set src(address) { queueMicrotask(() => this.listeners[answers[0] === 200 || answers.length === 0 ? "load" : "error"]()); }
};
globalThis.fetch = async () => {
  const status = answers.shift();
  if (status === 0) {
    throw new TypeError("the server is away");
  }
  return { status, headers: new Map(status === 503 ? [["Retry-After", "7"]] : []) };
};
const { Tiles } = await import("./tiles.js");
const grid = { tiles: "{z}/{x}/{y}", maxZoom: 0, area: [0, 0, 256, 256], columns: () => 1 };
const tiles = new Tiles({ append() {} }, grid, "png", () => {
  const { loaded, failed } = tiles.counts();
  console.log(JSON.stringify({ how: loaded ? "loaded" : failed ? "failed" : "loading", waits }));
});
tiles.show({ x: 128, y: 128, zoom: 0, width: 256, height: 256 });
`

// A tile that fails is asked for again while it may still come.
func TestPlainPageAsksAgainForTilesThatFail(t *testing.T) {
	for _, test := range []struct {
		answers string // to the first requests; then the tile comes
		how     string
		waits   []float64
	}{
		{"[]", "loaded", nil},
		{"[404]", "loaded", []float64{1.5}},
		{"[404, 404]", "failed", []float64{1.5}},
		{"[500, 500]", "failed", []float64{1.5}},
		{"[503, 503, 503, 503, 503, 503, 503]", "loaded", []float64{7, 7, 7, 7, 7, 7, 7}},
		{"[429, 429, 429]", "loaded", []float64{1.5, 1.5, 1.5}},
		{"[503, 503, 503, 503, 503, 429, 0]", "loaded", []float64{7, 7, 7, 7, 7, 1.5, 1.5}},
		{"[0, 0, 429, 0, 0, 0, 0]", "loaded", []float64{1.5, 3, 1.5, 1.5, 3, 6, 12}},
		{"[503, 404]", "loaded", []float64{7, 1.5}},
		{"[0, 502, 0, 504]", "loaded", []float64{1.5, 3, 6, 12}},
		{"[0, 0, 0, 0, 0, 0]", "failed", []float64{1.5, 3, 6, 12, 24}},
	} {
		var got struct {
			How   string
			Waits []float64
		}
		runModule(t, fmt.Sprintf(afterFailures, test.answers), &got)
		if got.How != test.how || !slices.Equal(got.Waits, test.waits) {
			t.Errorf("after %s the tile is %s, after waits of %v", test.answers, got.How, got.Waits)
		}
	}
}
