package wmts_test

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
	"tileserver/http/servertest"
	"tileserver/style"
)

// outcome is the result of an assertion of a suite for this server.
type outcome string

const (
	holds   outcome = "holds"
	differs outcome = "differs from the standard" // the check verifies what we do instead
	absent  outcome = "does not apply"            // the check verifies that the documents offer no such thing
	unused  outcome = "never runs"                // no run of the suite reaches it
)

// assertion is an assertion of a suite: its name, its meaning in our words, and our check. outcome
// is that of the assertion's text. If the suite's program decides differently, program says why.
type assertion struct {
	name, asks   string
	outcome      outcome
	why, program string
	run          func(t *testing.T, c *suiteClient)
}

// suiteClient is a client that has parsed the capabilities.
type suiteClient struct {
	*servertest.Server
	document wmtsDocument
}

// TestWMTSSuite checks all assertions of the OGC's suite ets-wmts10 about GET, by query and by
// resource.
//
// A run of the suite reaches 100 of them. 20 are about optional features that we do not have. Of
// the 80 that apply, 73 hold, and 7 contradict the standard. These figures follow the text of the
// assertions. According to its source, the suite's program passes 69 of the 80: it accepts our
// response to 4 of the 7, and it fails 8 that hold, because it requires a template for the middle
// one of a layer's formats, while a layer with three formats has a template for PNG only.
func TestWMTSSuite(t *testing.T) {
	rows := slices.Concat(
		suiteOfRequests(), suiteOfCapabilities(), suiteOfSections(), suiteOfTheDocument(), suiteOfNames(),
		suiteOfTileQueries(), suiteOfInfoQueries(), suiteOfTileResources(), suiteOfInfoResources(), suiteOfDimensions(), suiteOfPosts(),
	)
	counts, passes := make(map[outcome]int), 0
	server := suiteServer(t)
	c := &suiteClient{server, capabilitiesOf(t, server.Get(t, metadataPath))}
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
		t.Errorf("the suite's program passes %d, want 69", passes)
	}
}

// suiteServer has layers of several kinds, and the transparent one that the suite requires. None
// fails.
func suiteServer(t *testing.T) *servertest.Server {
	shaded := servertest.Scenes(t)[1]
	shaded.Config.ID = "shaded"
	shaded.Config.Styles = []style.Named{{Name: "hot", Style: style.Style{Spec: display.Spec{ColorMap: "hot"}}}}
	return servertest.Serve(t, nil, append(servertest.ScenesNamed(t, "map", "height", "utm", "plain"), shaded, transparentNodata(t))...)
}

const capabilitiesQuery = "/wmts?service=WMTS&request=GetCapabilities"

// refusal is an invalid query with the code and locator of its report. "" means no locator.
type refusal struct{ path, code, locator string }

// refused is the assertion that a query is rejected.
func refused(name, asks string, want refusal) assertion {
	return assertion{name: name, asks: asks, outcome: holds, run: func(t *testing.T, c *suiteClient) { c.isRefused(t, want) }}
}

func (c *suiteClient) isRefused(t *testing.T, want refusal) {
	t.Helper()
	got := c.Get(t, want.path)
	first := reportOf(t, got).Exceptions[0]
	named := first.Locator != nil
	if got.Code != 400 || first.Code != want.code || named != (want.locator != "") || named && *first.Locator != want.locator {
		t.Errorf("%s: status %d: %s", want.path, got.Code, got.Body)
	}
}

// suitePlace identifies a tile.
type suitePlace struct {
	layer, style, set, matrix string
	row, column               int
}

func (p suitePlace) query(changes ...string) string {
	path := edit(tileQuery, "layer", p.layer, "style", p.style, "TileMatrixSet", p.set, "TileMatrix", p.matrix,
		"TileRow", strconv.Itoa(p.row), "TileCol", strconv.Itoa(p.column))
	return edit(strings.TrimPrefix(path, "/wmts?"), changes...)
}

// fill replaces the variables of a template. changes alternates variables and other values for
// them.
func (p suitePlace) fill(template string, changes ...string) string {
	values := append(changes, "{Style}", p.style, "{TileMatrixSet}", p.set, "{TileMatrix}", p.matrix,
		"{TileRow}", strconv.Itoa(p.row), "{TileCol}", strconv.Itoa(p.column), "{J}", "7", "{I}", "20")
	for i := 0; i < len(values); i += 2 {
		template = strings.ReplaceAll(template, values[i], values[i+1])
	}
	return template
}

// corner returns the tile at the corner of the layer "map". Most checks change one field of it.
func corner() suitePlace { return suitePlace{"map", "default", "WebMercatorQuad", "12", 1340, 2200} }

// places returns the last tile within the limits of each matrix of a layer, in each style. In short
// mode it returns those of the first and last matrix of each set only.
func (c *suiteClient) places(l wmtsLayer) (places []suitePlace) {
	for _, style := range l.Styles {
		for _, link := range l.Links {
			matrices := link.Limits.Matrices
			for i, m := range matrices {
				if testing.Short() && i > 0 && i < len(matrices)-1 {
					continue
				}
				places = append(places, suitePlace{l.ID, style.ID, link.Set, m.Matrix, m.MaxTileRow, m.MaxTileCol})
			}
		}
	}
	return places
}

// isPicture checks that a response is a picture of a type, and decodes it.
func isPicture(t *testing.T, got *httptest.ResponseRecorder, mime string) image.Image {
	t.Helper()
	if got.Code != 200 || got.Header().Get("Content-Type") != mime {
		t.Fatalf("got %d of %q, want %q", got.Code, got.Header().Get("Content-Type"), mime)
	}
	img, kind := servertest.DecodeImage(t, got)
	if "image/"+kind != mime {
		t.Fatalf("the picture is a %s, want %s", kind, mime)
	}
	return img
}

// suiteOfPosts has a row for each of the three families of POST tests: queries, XML and SOAP.
func suiteOfPosts() (rows []assertion) {
	for _, family := range []string{"KVP", "XML", "SOAP"} {
		rows = append(rows, assertion{
			name: fmt.Sprintf("Server.%s.POST.*", family), asks: "all operations work by POST", outcome: unused,
			why: "POST is optional and not supported, and the suite has these tests switched off",
			run: func(t *testing.T, c *suiteClient) {
				got := c.Do(httptest.NewRequest("POST", "/wmts", strings.NewReader("service=WMTS&request=GetCapabilities")))
				if got.Code != 405 || !strings.Contains(got.Header().Get("Allow"), "GET") {
					t.Errorf("POST is %d, allowed is %q", got.Code, got.Header().Get("Allow"))
				}
			},
		})
	}
	return rows
}
