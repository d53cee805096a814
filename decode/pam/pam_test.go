package pam

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

func pointer(v float64) *float64 { return &v }

func TestTag(t *testing.T) {
	d, err := ParseTag([]byte(`<GDALMetadata>
  <Item name="TITLE">a &lt; b</Item>
  <Item name="K" domain="D">v</Item>
  <Item name="OFFSET" sample="0" role="offset">1000</Item>
  <Item name="SCALE" sample="0" role="scale">0.0001</Item>
  <Item name="DESCRIPTION" sample="0" role="description">Green</Item>
  <Item name="UNITTYPE" sample="1" role="unittype">m</Item>
  <Item name="COLORINTERP" sample="1" role="colorinterp">Alpha</Item>
  <Item name="STATISTICS_MAXIMUM" sample="1">2000</Item>
  <Item name="SCALE" sample="1" role="scale">much</Item>
  <Item name="OFFSET" sample="1" role="offset">nan</Item>
  <Item name="SCALE" sample="7" role="scale">3</Item>
  <Item name="SCALE" sample="-1" role="scale">3</Item>
  <Item name="SCALE" sample="x" role="scale">3</Item>
  <Item>nameless</Item>
  <Other name="O">o</Other>
</GDALMetadata>`+"\x00"), DefaultLimits(2))
	want := &Document{
		Metadata: Metadata{"": {"TITLE": "a < b"}, "D": {"K": "v"}},
		Bands: map[int]*Band{
			0: {Description: "Green", Scale: pointer(0.0001), Offset: pointer(1000)},
			1: {Unit: "m", Color: "Alpha", Metadata: Metadata{"": {"STATISTICS_MAXIMUM": "2000"}}},
		},
	}
	if err != nil || !reflect.DeepEqual(d, want) {
		t.Errorf("got %+v and %v, want %+v", d, err, want)
	}
}

// TestTagOfGDAL parses a tag written by GDAL 3.6, in which texts are escaped twice and
// attributes once.
func TestTagOfGDAL(t *testing.T) {
	d, err := ParseTag([]byte(`<GDALMetadata>
  <Item name="plain">&amp;amp;amp;</Item>
  <Item name="TITLE&lt;&amp;&quot;">a &amp;lt; b &amp;amp; c &amp;gt; d &amp;quot;é&amp;quot; &amp;amp;amp;amp;</Item>
  <Item name="dom" domain="D&lt;&amp;&gt;">x&amp;lt;y</Item>
  <Item name="K&lt;a&gt;" sample="0">v &amp;lt;&amp;amp;&amp;gt; &amp;quot;q&amp;quot; ' &amp;amp;amp; &amp;amp;lt;</Item>
  <Item name="UNITTYPE" sample="0" role="unittype">m&amp;lt;2&amp;gt;&amp;amp;&amp;quot;é</Item>
  <Item name="DESCRIPTION" sample="0" role="description">b&amp;lt;0&amp;gt;&amp;amp;&amp;quot;é'</Item>
</GDALMetadata>`), DefaultLimits(1))
	want := &Document{
		Metadata: Metadata{"": {"plain": "&amp;", `TITLE<&"`: `a < b & c > d "é" &amp;amp;`}, "D<&>": {"dom": "x<y"}},
		Bands: map[int]*Band{0: {
			Description: `b<0>&"é'`, Unit: `m<2>&"é`, Metadata: Metadata{"": {"K<a>": `v <&> "q" ' &amp; &lt;`}},
		}},
	}
	if err != nil || !reflect.DeepEqual(d, want) {
		t.Errorf("got %+v and %v, want %+v", d, err, want)
	}
}

// TestItemsEscapedOnce parses tags of programs that escape texts only once.
func TestItemsEscapedOnce(t *testing.T) {
	for text, want := range map[string]string{
		"a &lt; b":                           "a < b",
		"land &amp; water":                   "land & water",
		"a &lt; b &amp;amp; c":               "a < b &amp; c",
		"R&amp;D; more":                      "R&D; more",
		"&amp;lt; and &amp;nbsp;":            "&lt; and &nbsp;",
		"ends with &amp;":                    "ends with &",
		"ends with &amp;lt":                  "ends with &lt",
		"&quot;b&quot; &gt; 'c'":             "\"b\" > 'c'",
		"<![CDATA[<b> &amp; &]]>":            "<b> &amp; &",
		"&amp;#xFEFF;&amp;apos;once&amp;gt;": "\uFEFF'once>",
		"&amp;lt;b>":                         "<b>",
	} {
		d, err := ParseTag([]byte(`<GDALMetadata><Item name="n">`+text+`</Item></GDALMetadata>`), DefaultLimits(1))
		if err != nil || d.Metadata[""]["n"] != want {
			t.Errorf("%s: got %q and %v, want %q", text, d.Metadata[""]["n"], err, want)
		}
	}
}

func TestSideFile(t *testing.T) {
	d, err := ParseSideFile([]byte(`<?xml version="1.0" encoding="ISO-8859-1"?>
<!-- of another's -->
<PAMDataset>
  <SRS dataAxisToSRSAxisMapping="1,2"> LOCAL_CS["a"] </SRS>
  <GeoTransform>  5.0e+05,  1.0e+01,  0,  5.3e+06,  0, -1.0e+01</GeoTransform>
  <GCPList Projection="LOCAL_CS[&quot;b&quot;]">
    <GCP Id="one" Pixel="4.5" Line="5" X="1" Y="-2" Z="3"><Info>first</Info></GCP>
    <GCP Id="" Info="second" Pixel="14" Line="5" X="1e3" Y="2"/>
  </GCPList>
  <Metadata><MDI key="A">b`+"\xe9"+`</MDI><MDI>no name</MDI></Metadata>
  <Metadata domain="RPC"><MDI key="LINE_OFF">1</MDI></Metadata>
  <Metadata domain="xml:ESRI" format="xml"><GeodataXform><MDI key="not"><b>one</b></MDI></GeodataXform></Metadata>
  <PAMRasterBand band="2">
    <Description>two</Description>
    <NoDataValue le_hex_equiv="000000000000F0FF"> -inf </NoDataValue>
    <UnitType>m</UnitType><Offset>3</Offset><Scale>0.5</Scale>
    <ColorInterp>Palette</ColorInterp>
    <ColorTable><Entry c1="1" c2="2" c3="300" c4="100"/><Entry/><Other/></ColorTable>
    <CategoryNames><Category>land &amp; water</Category><Other>none</Other><Category/></CategoryNames>
    <Histograms><HistItem><HistCounts>1|2|3</HistCounts></HistItem></Histograms>
    <Metadata><MDI key="STATISTICS_MAXIMUM">255</MDI></Metadata>
  </PAMRasterBand>
  <PAMRasterBand band="0"><Description>none</Description></PAMRasterBand>
  <PAMRasterBand band="2000000000"><Description>none</Description></PAMRasterBand>
  <PAMRasterBand><Description>none</Description></PAMRasterBand>
</PAMDataset>`), DefaultLimits(2))
	want := &Document{
		CRS: `LOCAL_CS["a"]`, GeoTransform: &[6]float64{500000, 10, 0, 5300000, 0, -10}, ControlPointCRS: `LOCAL_CS["b"]`,
		ControlPoints: []ControlPoint{
			{Name: "one", Info: "first", Column: 4.5, Row: 5, X: 1, Y: -2, Z: 3},
			{Info: "second", Column: 14, Row: 5, X: 1000, Y: 2},
		},
		Metadata: Metadata{"": {"A": "bé"}, "RPC": {"LINE_OFF": "1"}, "xml:ESRI": nil},
		Bands: map[int]*Band{1: {
			Description: "two", NoData: " -inf ", Unit: "m", Scale: pointer(0.5), Offset: pointer(3), Color: "Palette",
			Palette:    []Color{{1, 2, 255, 100}, {0, 0, 0, 255}},
			Categories: []string{"land & water", ""},
			Metadata:   Metadata{"": {"STATISTICS_MAXIMUM": "255"}},
		}},
	}
	delete(want.Metadata, "xml:ESRI")
	if err != nil || !reflect.DeepEqual(d, want) {
		t.Errorf("got %+v and %v, want %+v", d, err, want)
	}
}

// TestLongTags bounds the memory for attributes, which take many times the bytes of the text.
func TestLongTags(t *testing.T) {
	attributes := func(bytes int) string { return strings.Repeat(`a="" `, bytes/5) }
	for _, test := range []struct {
		name, text string
		want       error
	}{
		{"within the bound", `<GDALMetadata><Item ` + attributes(60<<10) + `name="n">v</Item></GDALMetadata>`, nil},
		{"over it", `<GDALMetadata><Item ` + attributes(65<<10) + `name="n">v</Item></GDALMetadata>`, ErrLimit},
		{"far over it", `<GDALMetadata ` + attributes(4<<20) + `/>`, ErrLimit},
		{"a bracket in an attribute", `<GDALMetadata><Item b=">" ` + attributes(65<<10) + `/></GDALMetadata>`, ErrLimit},
		{"a long text", `<GDALMetadata><Item name="n">` + strings.Repeat("v", 1<<20) + `</Item></GDALMetadata>`, nil},
		{"a long comment", `<GDALMetadata><!-- <a ` + strings.Repeat("v", 1<<20) + ` --><Item name="n">v</Item></GDALMetadata>`, nil},
		{"text beside tags", `<GDALMetadata><![CDATA[<a ` + strings.Repeat("v", 1<<20) + `]]><Item name="n">v</Item></GDALMetadata>`, nil},
	} {
		var prefix, suffix runtime.MemStats
		runtime.ReadMemStats(&prefix)
		d, err := ParseTag([]byte(test.text), DefaultLimits(1))
		runtime.ReadMemStats(&suffix)
		if !errors.Is(err, test.want) || err == nil && d.Metadata[""]["n"] == "" {
			t.Errorf("%s: got %v and %v, want %v", test.name, d, err, test.want)
		}
		if grown := suffix.TotalAlloc - prefix.TotalAlloc; grown > 12<<20 {
			t.Errorf("%s: %d MiB were allocated", test.name, grown>>20)
		}
	}
}

func TestParseRejects(t *testing.T) {
	deep := strings.Repeat("<a>", 100)
	points := "<PAMDataset><GCPList>" + strings.Repeat(`<GCP Pixel="1" Line="1" X="1" Y="1"/>`, 5) + "</GCPList></PAMDataset>"
	small := Limits{Bytes: 10000, Elements: 50, Depth: 10, Bands: 1, Points: 4}
	for _, test := range []struct {
		name, text string
		want       error
	}{
		{"nothing", "", ErrCorrupt},
		{"words", "these are words", ErrCorrupt},
		{"another document", "<VRTDataset/>", ErrCorrupt},
		{"cut off", "<PAMDataset><SRS>a", ErrCorrupt},
		{"an end that fits none", "<PAMDataset><SRS>a</PAMDataset>", ErrCorrupt},
		{"entities of its own", `<!DOCTYPE a [<!ENTITY b "c">]><PAMDataset><SRS>&b;</SRS></PAMDataset>`, ErrCorrupt},
		{"an entity that nobody knows", "<PAMDataset><SRS>&b;</SRS></PAMDataset>", ErrCorrupt},
		{"a point that is nowhere", `<PAMDataset><GCPList><GCP Pixel="1" Line="x" X="1" Y="1"/></GCPList></PAMDataset>`, ErrCorrupt},
		{"a point at the end of the world", `<PAMDataset><GCPList><GCP Pixel="1" Line="1" X="inf" Y="1"/></GCPList></PAMDataset>`, ErrCorrupt},
		{"deep", "<PAMDataset>" + deep, ErrLimit},
		{"deep in a point", `<PAMDataset><GCPList><GCP Pixel="1" Line="1" X="1" Y="1">` + deep, ErrLimit},
		{"long", "<PAMDataset>" + strings.Repeat(" ", 10000), ErrLimit},
		{"many elements", "<PAMDataset>" + strings.Repeat("<a/>", 50), ErrLimit},
		{"many points", points, ErrLimit},
	} {
		if d, err := ParseSideFile([]byte(test.text), small); !errors.Is(err, test.want) || d != nil {
			t.Errorf("%s: got %v and %v, want %v", test.name, d, err, test.want)
		}
	}
}

func TestInvalidGeoTransforms(t *testing.T) {
	for _, text := range []string{"", "1,2,3,4,5", "1,2,3,4,5,6,7", "1,2,3,4,5,x", "1,2,3,4,5,nan"} {
		d, err := ParseSideFile(fmt.Appendf(nil, "<PAMDataset><GeoTransform>%s</GeoTransform></PAMDataset>", text), DefaultLimits(1))
		if err != nil || d.GeoTransform != nil {
			t.Errorf("%q: got %v and %v", text, d, err)
		}
	}
}

func TestMerge(t *testing.T) {
	var m Metadata
	m.Merge(Metadata{"": {"a": "1", "b": "2"}})
	m.Merge(Metadata{"": {"b": "3"}, "D": {"c": "4"}})
	if want := (Metadata{"": {"a": "1", "b": "3"}, "D": {"c": "4"}}); !reflect.DeepEqual(m, want) {
		t.Errorf("got %v, want %v", m, want)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`<GDALMetadata><Item name="A" sample="0" role="scale">1</Item></GDALMetadata>`))
	f.Add([]byte(`<PAMDataset><SRS>a</SRS><GeoTransform>1,2,3,4,5,6</GeoTransform><GCPList Projection=""><GCP Pixel="1" Line="2" X="3" Y="4"><Info>i</Info></GCP></GCPList></PAMDataset>`))
	f.Add([]byte(`<PAMDataset><PAMRasterBand band="1"><NoDataValue>1</NoDataValue><ColorTable><Entry c1="1"/></ColorTable><CategoryNames><Category>c</Category></CategoryNames><Metadata domain="d"><MDI key="k">v</MDI></Metadata></PAMRasterBand></PAMDataset>`))
	limits := Limits{Bytes: 1 << 16, Elements: 1000, Depth: 20, Bands: 3, Points: 20}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, parse := range []func([]byte, Limits) (*Document, error){ParseTag, ParseSideFile} {
			d, err := parse(text, limits)
			switch {
			case err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrLimit):
				t.Errorf("an error of no kind: %v", err)
			case err == nil && (len(d.Bands) > 3 || len(d.ControlPoints) > 20):
				t.Errorf("%d bands and %d control points", len(d.Bands), len(d.ControlPoints))
			}
		}
	})
}
