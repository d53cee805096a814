package wmts_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tileserver/http/servertest"
)

func TestWMTSSections(t *testing.T) {
	server := servertest.New(t, nil)
	for sections, want := range map[string]string{
		"":                                "iosc-m",
		"&sections=all":                   "iosc-m",
		"&Sections=ServiceIdentification": "i-----",
		"&Sections=ServiceProvider":       "-o----",
		"&Sections=OperationsMetadata":    "--s---",
		"&Sections=Contents":              "---c--",
		"&Sections=Themes":                "----t-",
		"&Sections=Contents,Themes":       "---ct-",
		"&Sections=ServiceProvider,All":   "iosc-m",
		"&Sections=Themes,All":            "iosctm",
	} {
		d := capabilitiesOf(t, server.Get(t, "/wmts?service=WMTS&request=GetCapabilities"+sections))
		if got := sectionsOf(&d); got != want {
			t.Errorf("%q has the sections %s, want %s", sections, got, want)
		}
	}
}

// sectionsOf returns letters for the sections of a document: i for identification, o for provider,
// s for operations, c for contents, t for themes and m for the metadata address.
func sectionsOf(d *wmtsDocument) string {
	got := ""
	for i, is := range []bool{d.Identification != nil, d.Provider != nil, d.Operations != nil, d.Contents != nil, d.Themes != nil, d.Metadata != nil} {
		if is {
			got += "iosctm"[i : i+1]
		} else {
			got += "-"
		}
	}
	return got
}

func TestWMTSUpdateSequence(t *testing.T) {
	server := servertest.New(t, nil)
	const path = "/wmts?service=WMTS&request=GetCapabilities"
	now := capabilitiesOf(t, server.Get(t, path)).UpdateSequence
	if v, err := strconv.ParseFloat(now, 64); err != nil || v < 2e13 {
		t.Errorf("the update sequence is %q", now)
	}
	same := capabilitiesOf(t, server.Get(t, path+"&updateSequence="+now))
	if same.UpdateSequence != now || same.Identification != nil || same.Provider != nil || same.Operations != nil || same.Contents != nil || same.Metadata != nil {
		t.Errorf("with the current sequence: %+v", same)
	}
	if before := capabilitiesOf(t, server.Get(t, path+"&updateSequence=1"+now[1:])); before.Contents == nil {
		t.Errorf("with an earlier sequence: %+v", before)
	}
	scene := servertest.Scenes(t)[0]
	scene.Config.ID = "another"
	server.Add(t, scene)
	next := capabilitiesOf(t, server.Get(t, path+"&updateSequence="+now))
	if next.Contents == nil || next.UpdateSequence <= now {
		t.Errorf("with another layer, %q is followed by %q", now, next.UpdateSequence)
	}
}

func TestWMTSDocumentTypes(t *testing.T) {
	server := servertest.New(t, nil)
	const query = "/wmts?service=WMTS&request=GetCapabilities"
	for _, test := range []struct {
		path, accept string
		status       int
		mime         string
	}{
		{query, "", 200, "application/xml"},
		{query, "image/png", 200, "application/xml"},
		{query + "&AcceptFormats=text/xml", "", 200, "text/xml"},
		{query + "&acceptformats=text/html,TEXT/XML%3Bq=1,application/xml", "", 200, "text/xml"},
		{query + "&AcceptFormats=bogus/xml", "", 200, "application/xml"},
		{query + "&AcceptFormats=", "", 200, "application/xml"},
		{metadataPath, "", 200, "application/xml"},
		{metadataPath, " ", 200, "application/xml"}, // present and empty
		{metadataPath, "*/*", 200, "application/xml"},
		{metadataPath, "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp", 200, "application/xml"},
		{metadataPath, "text/xml", 200, "text/xml"},
		{metadataPath, "application/json", 406, "application/json"},
		{metadataPath, "application/xml;q=0", 406, "application/json"},
		{"/layers/map/WMTSCapabilities.xml", "image/png", 406, "application/json"},
		{"/layers/map/WMTSCapabilities.xml", "", 200, "application/xml"},
		{"/layers/plain/WMTSCapabilities.xml", "", 404, "application/json"},
		{"/layers/nope/WMTSCapabilities.xml", "", 404, "application/json"},
		{metadataPath + "/Bogus", "", 404, "application/json"},
	} {
		r := httptest.NewRequest(http.MethodGet, test.path, nil)
		if test.accept != "" {
			r.Header.Set("Accept", strings.TrimSpace(test.accept))
		}
		got := server.Do(r)
		if got.Code != test.status || got.Header().Get("Content-Type") != test.mime {
			t.Errorf("%s for %q is %d of %q, want %d of %q", test.path, test.accept, got.Code, got.Header().Get("Content-Type"), test.status, test.mime)
		}
		if negotiates := slices.Contains(got.Header().Values("Vary"), "Accept"); negotiates && strings.HasPrefix(test.path, "/wmts?") {
			t.Errorf("%s Vary: %v", test.path, got.Header().Values("Vary"))
		}
	}
}

// The document of all layers may be long, that of one layer is not.
func TestWMTSDocumentOfOneLayer(t *testing.T) {
	server := servertest.New(t, nil)
	d := capabilitiesOf(t, server.Get(t, "/layers/utm/WMTSCapabilities.xml"))
	if len(d.Contents.Layers) != 1 || d.Contents.Layers[0].ID != "utm" || d.Metadata[0].Href != "http://example.com/layers/utm/WMTSCapabilities.xml" {
		t.Errorf("the document is %+v", d)
	}
	if want := len(d.Contents.Layers[0].Links); len(d.Contents.Sets) != want {
		t.Errorf("it has %d tile matrix sets, want %d", len(d.Contents.Sets), want)
	}
}

func TestWMTSDocumentIsRevalidated(t *testing.T) {
	server := servertest.New(t, nil)
	first := server.Get(t, metadataPath)
	for _, coding := range []string{"", "gzip"} {
		r := httptest.NewRequest(http.MethodGet, metadataPath, nil)
		r.Header.Set("Accept-Encoding", coding)
		got := server.Do(r)
		r.Header.Set("If-None-Match", got.Header().Get("ETag"))
		if again := server.Do(r); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%q: revalidation: status %d, %d bytes", coding, again.Code, again.Body.Len())
		}
	}
	scene := servertest.Scenes(t)[0]
	scene.Config.ID = "another"
	server.Add(t, scene)
	r := httptest.NewRequest(http.MethodGet, metadataPath, nil)
	r.Header.Set("If-None-Match", first.Header().Get("ETag"))
	if again := server.Do(r); again.Code != http.StatusOK {
		t.Errorf("with another layer, revalidation: status %d", again.Code)
	}
}
