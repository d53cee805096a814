package wmts100

import (
	"encoding/xml"
	"errors"
	"math"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"tileserver/geo"
)

func queryOf(t testing.TB, text string) Query {
	t.Helper()
	values, err := url.ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	return QueryOf(values)
}

const tile = "SERVICE=WMTS&VERSION=1.0.0&LAYER=l&STYLE=&FORMAT=image/png&TILEMATRIXSET=s&TILEMATRIX=m&TILEROW=3&TILECOL=4"

func TestTileRequest(t *testing.T) {
	want := TileRequest{Layer: "l", Format: "image/png", TileMatrixSet: "s", TileMatrix: "m", Row: 3, Column: 4}
	got, err := queryOf(t, tile).Tile()
	if err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	info, err := queryOf(t, tile+"&i=5&j=6&infoformat=text/plain").Info()
	if err != nil || info != (InfoRequest{want, "text/plain", 5, 6}) {
		t.Errorf("got %+v, %v", info, err)
	}
	far, err := queryOf(t, strings.Replace(tile, "TILEROW=3", "TileRow=-99999999999999999999", 1)).Tile()
	if err != nil || far.Row != math.MinInt {
		t.Errorf("a row beyond int is %d, %v", far.Row, err)
	}
}

// A repeated parameter is valid with equal values only.
func TestParametersGivenTwice(t *testing.T) {
	if _, err := queryOf(t, tile+"&layer=l&Layer=l").Tile(); err != nil {
		t.Error(err)
	}
	var report Report
	if _, err := queryOf(t, tile+"&layer=other").Tile(); !errors.As(err, &report) || report[0].Locator != "layer" || report[0].Code != InvalidParameterValue {
		t.Errorf("different layers: %v", err)
	}
	if got := queryOf(t, "b=2&B=3&a=1"); !reflect.DeepEqual(got, Query{"a": {"1"}, "b": {"3", "2"}}) {
		t.Errorf("the query is %v", got)
	}
}

func TestTilesWithinLimits(t *testing.T) {
	set := geo.WebMercatorQuad()
	within := Limits{MinColumn: 2, MinRow: 3, MaxColumn: 5, MaxRow: 3}
	for _, test := range []struct {
		row, column int
		locator     string
	}{{3, 2, ""}, {3, 5, ""}, {2, 2, "TileRow"}, {4, 2, "TileRow"}, {3, 1, "TileCol"}, {3, 6, "TileCol"}, {math.MaxInt, math.MinInt, "TileRow"}} {
		err := (&TileRequest{Row: test.row, Column: test.column}).Check(within)
		var report Report
		if errors.As(err, &report) != (test.locator != "") || report != nil && (report[0].Locator != test.locator || report[0].Code != TileOutOfRange) {
			t.Errorf("%d/%d: %v", test.row, test.column, err)
		}
	}
	if got := LimitsOf(&set.Matrices[2]); got != (Limits{0, 0, 3, 3}) {
		t.Errorf("a whole matrix is %+v", got)
	}
	if z, err := (&TileRequest{TileMatrix: "7"}).Matrix(set); z != 7 || err != nil {
		t.Errorf("matrix 7 is %d, %v", z, err)
	}
	if _, err := (&TileRequest{TileMatrix: "07"}).Matrix(set); err == nil {
		t.Error("a matrix has two names")
	}
}

func TestUpdateSequence(t *testing.T) {
	moment := time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.FixedZone("east", 3600))
	sequence := UpdateSequence(moment)
	if want := "20260102020405.006"; sequence != want {
		t.Errorf("got %s, want %s", sequence, want)
	}
	for text, want := range map[string]string{
		"": "news", sequence: "current", "20260102020405.005": "news", "1": "news", "-1": "news",
		"20260102020405.007": "wrong", "NaN": "wrong", "2026-01-02T02:04:05Z": "wrong", "inf": "wrong", "20260102020405.0060": "wrong",
	} {
		is, err := (&CapabilitiesRequest{UpdateSequence: text}).IsCurrent(sequence)
		got := "news"
		if err != nil {
			got = "wrong"
		} else if is {
			got = "current"
		}
		if got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestReportIsXML(t *testing.T) {
	report := Report{{InvalidParameterValue, `"<&`, "a \x00 <b> & " + strings.Repeat("x", 1000)}, {Code: NoApplicableCode, Text: "\xff"}}
	var got struct {
		Exceptions []struct {
			Code    string `xml:"exceptionCode,attr"`
			Locator string `xml:"locator,attr"`
			Text    string `xml:"ExceptionText"`
		} `xml:"Exception"`
	}
	if err := xml.Unmarshal(report.XML(), &got); err != nil {
		t.Fatal(err)
	}
	first := got.Exceptions[0]
	if first.Code != "InvalidParameterValue" || first.Locator != `"<&` || !strings.HasPrefix(first.Text, "a <b> & x") || len(first.Text) > maxReportRunes+3 {
		t.Errorf("the first is %+v", first)
	}
	if len(got.Exceptions) != 2 || got.Exceptions[1].Code != "NoApplicableCode" || report.Error() != report[0].Text {
		t.Errorf("the report is %+v", got)
	}
}

// Any query is parsed, or rejected with a report in XML.
func FuzzQuery(f *testing.F) {
	f.Add("service=WMTS&request=GetCapabilities&sections=all,Contents&acceptversions=1.0.0&acceptformats=text/xml&updatesequence=1")
	f.Add("request=GetTile&" + tile)
	f.Add("request=GetFeatureInfo&i=1&J=2&infoformat=text/html&" + tile)
	f.Add("service=WMTS&request~GetCapabilities!version~1.0.0")
	f.Add("service=wmts&Service=WMTS&request=gettile&tilerow=99999999999999999999&tilecol=-1")
	f.Add("service=WMTS&request=GetTile&version=1.0.0&layer=%00%ff%22%3c&style=&format=")
	f.Fuzz(func(t *testing.T, text string) {
		values, err := url.ParseQuery(text)
		if err != nil {
			return
		}
		query := QueryOf(values)
		operation, err := query.Operation()
		if err == nil {
			switch operation {
			case GetCapabilities:
				var r CapabilitiesRequest
				if r, err = query.Capabilities(); err == nil {
					if r.MIME != MIMEXML && r.MIME != MIMETextXML {
						t.Errorf("the type is %q", r.MIME)
					}
					_, err = r.IsCurrent(UpdateSequence(time.Unix(0, 0)))
				}
			case GetTile:
				_, err = query.Tile()
			case GetFeatureInfo:
				_, err = query.Info()
			default:
				t.Fatalf("the operation is %q", operation)
			}
		}
		if err == nil {
			return
		}
		var report Report
		if !errors.As(err, &report) || len(report) == 0 || report[0].Code == "" || report[0].Text == "" {
			t.Fatalf("the error is %#v", err)
		}
		if err := xml.Unmarshal(report.XML(), new(struct{})); err != nil {
			t.Errorf("%v in %s", err, report.XML())
		}
	})
}

// A document with any title is valid XML.
func FuzzTitles(f *testing.F) {
	f.Add("]]>&lt;<script>\"a\"\x00\x1b[31m\u202e\ufffe \xff</ows:Title>")
	f.Add("\t\r\n")
	f.Fuzz(func(t *testing.T, title string) {
		d := document(t)
		layers := func(yield func(*Layer) bool) {
			for l := range d.Layers {
				named := *l
				named.Title, named.Abstract = title, title
				if !yield(&named) {
					return
				}
			}
		}
		d2 := *d
		d2.Layers, d2.Service.Title, d2.Service.Keywords = layers, title, []string{title}
		var b strings.Builder
		if err := d2.Write(&b); err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal([]byte(b.String()), new(struct{})); err != nil {
			t.Errorf("%v with the title %q", err, title)
		}
		info := Info{Layer: "l", Title: title, Found: true, Values: []Value{{Name: title, Unit: title, Number: 1, Valid: true}, {Name: title}}}
		for _, format := range InfoFormats() {
			if got := string(info.Encode(format.MIME)); strings.Contains(got, "<script") && format.MIME == MIMEHTML {
				t.Errorf("the HTML is %s", got)
			}
		}
	})
}
