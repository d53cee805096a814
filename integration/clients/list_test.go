package clients

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// listAnswer is the result of scripts/list.mjs.
type listAnswer struct {
	Opened, Found, Linked, Below listShown
	Walked                       []string // the focused element before each key
}

// listShown describes what the viewer's list shows.
type listShown struct {
	Count, Hash, Current, Heading string
	Cards                         []string
	IsCut, IsInView               bool
}

// manyLayers creates a folder with the given numbers of layers, all of them copies of two files.
func manyLayers(t *testing.T, placed, unplaced int) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "many")
	known := knownLayers()
	writeTIFF(t, folder, "color/0.tif", known[utm.id])
	writeTIFF(t, folder, "scan/0.tif", known[nowhere.id])
	for kind, count := range map[string]int{"color": placed, "scan": unplaced} {
		for i := range count {
			name := fmt.Sprintf("%04d of a survey whose files have names of more than a few words.tif", i)
			if err := os.Link(filepath.Join(folder, kind, "0.tif"), filepath.Join(folder, kind, name)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Remove(filepath.Join(folder, kind, "0.tif")); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func idOf(kind string, number int) string {
	return fmt.Sprintf("%s-%04d-of-a-survey-whose-files-have-names-of-more-than-a-few-words", kind, number)
}

func TestTheViewerListsThousandsOfLayers(t *testing.T) {
	require(t, append(slices.Clone(browserParts), viewerPart)...)
	const placed, unplaced = 2000, 30
	s := start(t, everything.program(t), manyLayers(t, placed, unplaced))
	defer s.stop()
	late, pixels := idOf("color", 1234), idOf("scan", 17)
	result := everything.show(t, performance{Script: "list", Width: 1200, Height: 800, Settings: map[string]any{
		"address": s.address, "late": late, "pixels": pixels, "words": "SURVEY 0777",
	}})
	var a listAnswer
	if err := json.Unmarshal(result.Value, &a); err != nil {
		t.Fatal(err)
	}
	if a.Opened.Count != "2,030 layers" || !strings.HasPrefix(a.Opened.Hash, "#"+idOf("color", 0)) || a.Opened.Current != idOf("color", 0) {
		t.Errorf("the viewer opens %s among %s, at %s", a.Opened.Current, a.Opened.Count, a.Opened.Hash)
	}
	if !slices.Equal(a.Found.Cards, []string{idOf("color", 777)}) {
		t.Errorf("a search finds %v", a.Found.Cards)
	}
	for name, shown := range map[string]listShown{"at the beginning": a.Opened, "far down": a.Linked, "at the end": a.Below} {
		if count := len(shown.Cards); count < 4 || count > 40 || shown.IsCut {
			t.Errorf("%s there are %d cards, with names cut: %t", name, count, shown.IsCut)
		}
	}
	if a.Linked.Current != late || !a.Linked.IsInView || a.Below.Current != pixels || !a.Below.IsInView {
		t.Errorf("after links to layers, the current card is %q (visible: %t) and %q (visible: %t)", a.Linked.Current, a.Linked.IsInView, a.Below.Current, a.Below.IsInView)
	}
	if a.Opened.Heading != "" || slices.ContainsFunc(a.Below.Cards[len(a.Below.Cards)-1:], func(id string) bool { return strings.HasPrefix(id, "color") }) {
		t.Errorf("layers without a place are mixed with the others: %v, %q", a.Below.Cards, a.Opened.Heading)
	}
	if want := []string{idOf("color", 0), idOf("color", 1), idOf("color", 2), idOf("color", 1), idOf("scan", unplaced-1)}; !slices.Equal(a.Walked, want) {
		t.Errorf("keys move the focus to %v, want %v", a.Walked, want)
	}
	if whole := result.requestsOf("limit=100000"); whole > 0 {
		t.Errorf("the viewer requests all layers at once")
	}
}

// overviewsAnswer is the result of scripts/overviews.mjs.
type overviewsAnswer struct {
	Notice, Card, After          string
	Progress                     float64
	Waiting, Tiles, StillWaiting int
}

// The map and the layer's card show the progress of building overviews. Pictures load afterwards.
func TestTheViewerShowsOverviewProgress(t *testing.T) {
	require(t, append(slices.Clone(browserParts), viewerPart)...)
	result := everything.show(t, performance{Script: "overviews", Width: 1200, Height: 800, AllowedStatuses: []int{503}, Settings: map[string]any{
		"address": everything.maps(t), "layer": mercator.id,
	}})
	var a overviewsAnswer
	if err := json.Unmarshal(result.Value, &a); err != nil {
		t.Fatal(err)
	}
	if a.Notice != "Preparing overviews of mercator: 40 %" || a.Card != "Preparing overviews: 40 %" || a.Progress != 0.4 {
		t.Errorf("while overviews are built, the notice is %q and the card says %q", a.Notice, a.Card)
	}
	if a.Waiting == 0 || a.Tiles == 0 || a.StillWaiting > 0 {
		t.Errorf("%d pictures were requested while overviews were built; afterwards %d tiles, %d of them without waiting", a.Waiting, a.Tiles, a.StillWaiting)
	}
	if a.After != "701 × 499 · 3 bands" {
		t.Errorf("afterwards, the card says %q", a.After)
	}
}
