package http_test

import (
	"fmt"
	"image"
	"maps"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tileserver/display"
	"tileserver/layer"
)

// outcome is how an assertion of a suite fares with this server.
type outcome string

const (
	holds   outcome = "holds"
	differs outcome = "differs from the standard" // the row's why says in what; run checks what we do instead
	absent  outcome = "about what is not here"    // run checks that it is not here
	unused  outcome = "never run"                 // the suite has it, and no run of the suite comes to it
)

// assertion is one of a suite: its name there, what it asks for in our words, and our check of it. The outcome goes by the
// words of the assertion. Where the suite's program judges otherwise than its words do, program says why.
type assertion struct {
	name, asks   string
	outcome      outcome
	why, program string
	run          func(t *testing.T, c *suiteClient)
}

// suiteClient is a client that knows the capabilities.
type suiteClient struct {
	*world
	document wmtsDocument
}

// TestWMTSSuite goes through all assertions of the OGC's suite ets-wmts10 about GET, by query and by address. Of those that a run of the suite comes to there are 100. 20 of them are about what our
// documents never have; of the 80 that are left, 73 hold in their words, and 7 ask for something else than the standard.
// The suite's program passes 69: it does not mind four of those seven, and it fails eight that hold, because it looks for
// a template of the middle one of a layer's formats, and a layer has a template of PNG only.
func TestWMTSSuite(t *testing.T) {
	rows := slices.Concat(
		suiteOfRequests(), suiteOfCapabilities(), suiteOfSections(), suiteOfTheDocument(), suiteOfNames(),
		suiteOfTileQueries(), suiteOfInfoQueries(), suiteOfTileResources(), suiteOfInfoResources(), suiteOfDimensions(), suiteOfPosts(),
	)
	counts, passes := make(map[outcome]int), 0
	w := suiteWorld(t)
	c := &suiteClient{w, capabilitiesOf(t, w.get(t, metadataPath))}
	for _, row := range rows {
		counts[row.outcome]++
		if row.outcome == holds && row.program == "" || row.outcome == differs && row.program != "" {
			passes++
		}
		if (row.outcome == holds) != (row.why == "") || row.asks == "" {
			t.Errorf("%s %s, because %q", row.name, row.outcome, row.why)
		}
		t.Run(row.name, func(t *testing.T) { row.run(t, c) })
	}
	if want := map[outcome]int{holds: 73, differs: 7, absent: 20, unused: 6}; !maps.Equal(counts, want) {
		t.Errorf("the outcomes are %v, want %v", counts, want)
	}
	if passes != 69 {
		t.Errorf("the suite's program passes %d assertions, want 69", passes)
	}
}

// suiteWorld has layers of several kinds, that which the suite looks for, and none that fails.
func suiteWorld(t *testing.T) *world {
	shaded := scenes(t)[1]
	shaded.config.ID = "shaded"
	shaded.config.Styles = []layer.NamedStyle{{Name: "hot", Style: layer.Style{Spec: display.Spec{ColorMap: "hot"}}}}
	return worldOf(t, nil, append(scenesNamed(t, "map", "height", "utm", "plain"), shaded, transparentNodata(t))...)
}

const capabilitiesQuery = "/wmts?service=WMTS&request=GetCapabilities"

// refused is an assertion that a query is answered by a report with a code and a locator, and 400. An empty locator is none.
func refused(name, asks, path string, code, locator string) assertion {
	return assertion{name: name, asks: asks, outcome: holds, run: func(t *testing.T, c *suiteClient) {
		c.isRefused(t, path, code, locator)
	}}
}

func (c *suiteClient) isRefused(t *testing.T, path, code, locator string) {
	t.Helper()
	got := c.get(t, path)
	first := reportOf(t, got).Exceptions[0]
	named := first.Locator != nil
	if got.Code != 400 || first.Code != code || named != (locator != "") || named && *first.Locator != locator {
		t.Errorf("%s is %d: %s", path, got.Code, got.Body)
	}
}

// suitePlace is a tile of a layer, in all words that name it.
type suitePlace struct {
	layer, style, set, matrix string
	row, column               int
}

func (p suitePlace) query(changes ...string) string {
	path := edit(tileQuery, "layer", p.layer, "style", p.style, "TileMatrixSet", p.set, "TileMatrix", p.matrix,
		"TileRow", strconv.Itoa(p.row), "TileCol", strconv.Itoa(p.column))
	return edit(strings.TrimPrefix(path, "/wmts?"), changes...)
}

// fill writes the place into a template. A variable may have another value than that of the place.
func (p suitePlace) fill(template string, changes ...string) string {
	values := append(changes, "{Style}", p.style, "{TileMatrixSet}", p.set, "{TileMatrix}", p.matrix,
		"{TileRow}", strconv.Itoa(p.row), "{TileCol}", strconv.Itoa(p.column), "{J}", "7", "{I}", "20")
	for i := 0; i < len(values); i += 2 {
		template = strings.ReplaceAll(template, values[i], values[i+1])
	}
	return template
}

// corner is the place that most checks change one word of.
func corner() suitePlace { return suitePlace{"map", "default", "WebMercatorQuad", "12", 1340, 2200} }

// places are the last tile of each matrix that a layer has limits in, in each of its styles.
func (c *suiteClient) places(l wmtsLayer) (places []suitePlace) {
	for _, style := range l.Styles {
		for _, link := range l.Links {
			for _, m := range link.Limits.Matrices {
				places = append(places, suitePlace{l.ID, style.ID, link.Set, m.Matrix, m.MaxTileRow, m.MaxTileCol})
			}
		}
	}
	return places
}

// isPicture checks that an answer is a picture of a type.
func isPicture(t *testing.T, got *httptest.ResponseRecorder, mime string) image.Image {
	t.Helper()
	if got.Code != 200 || got.Header().Get("Content-Type") != mime {
		t.Fatalf("got %d of %q, want %q", got.Code, got.Header().Get("Content-Type"), mime)
	}
	img, kind := decodeImage(t, got)
	if "image/"+kind != mime {
		t.Fatalf("the picture is a %s, want %s", kind, mime)
	}
	return img
}

// suiteOfPosts stands for the three families of the suite that post: in queries, XML and SOAP.
func suiteOfPosts() (rows []assertion) {
	for _, family := range []string{"KVP", "XML", "SOAP"} {
		rows = append(rows, assertion{
			name: fmt.Sprintf("Server.%s.POST.*", family), asks: "all operations by POST", outcome: unused,
			why: "the standard leaves POST to the server, and the suite has these switched off",
			run: func(t *testing.T, c *suiteClient) {
				got := c.do(httptest.NewRequest("POST", "/wmts", strings.NewReader("service=WMTS&request=GetCapabilities")))
				if got.Code != 405 || !strings.Contains(got.Header().Get("Allow"), "GET") {
					t.Errorf("POST is %d, allowed is %q", got.Code, got.Header().Get("Allow"))
				}
			},
		})
	}
	return rows
}
