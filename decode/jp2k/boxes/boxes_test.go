package boxes

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tileserver/decode/jp2k/boxes/boxestest"
)

func read(t *testing.T, file []byte) *Container {
	t.Helper()
	c, err := Read(&boxestest.Bytes{Content: file}, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// rgb returns the header of an image of three colors.
func rgb(more ...[]byte) []byte {
	return boxestest.Header(boxestest.ImageHeader(37, 21, 3, 8), boxestest.EnumeratedColor(16), slices.Concat(more...))
}

func TestReadFindsTheCodestream(t *testing.T) {
	stream := boxestest.FakeCodestream()
	length := int64(len(stream))
	head := boxestest.File(rgb())
	broken := boxestest.Header(boxestest.ImageHeader(37, 21, 3, 8), boxestest.EnumeratedColor(16))
	broken[3] += 3
	for _, test := range []struct {
		name        string
		file        []byte
		codestreams int
		notes       []string // substrings of each
	}{
		{"a raw codestream", stream, 1, nil},
		{"a box of a length", slices.Concat(head, boxestest.Box("jp2c", stream)), 1, nil},
		{"a box of a long length", slices.Concat(head, boxestest.LongBox("jp2c", stream)), 1, nil},
		{"a box up to the end", slices.Concat(head, boxestest.LastBox("jp2c", stream)), 1, nil},
		{"unknown boxes around it", slices.Concat(head, boxestest.LongBox("free", stream[4:]), boxestest.Codestream(), boxestest.Box("jumb", stream)), 1, nil},
		{"two", slices.Concat(head, boxestest.Codestream(), boxestest.Codestream()), 2, nil},
		{"a box that is truncated", slices.Concat(head, []byte{0, 0, 1, 0}, []byte("jp2c"), stream), 1, []string{"truncated by 229"}},
		{"a box without one before it", slices.Concat(head, boxestest.Box("jp2c", []byte("nothing")), boxestest.Codestream()), 1, []string{"holds no codestream"}},
		{"a header with a wrong length", slices.Concat(boxestest.File(broken), boxestest.LastBox("jp2c", stream)), 1, []string{"3 bytes", "truncated", "is unknown", "found at 85"}},
		{"a header that swallows it", slices.Concat(boxestest.File([]byte("\xff\x00\x00\x00jp2h")), rgb()[8:], boxestest.Codestream()), 1, []string{"truncated"}},
		{"a first box that is damaged", slices.Concat(head[:11], []byte{0}, head[12:], boxestest.Codestream()), 1, []string{"damaged"}},
		{"bytes behind it", slices.Concat(head, boxestest.Codestream(), []byte{1, 2}), 1, []string{"2 bytes"}},
		{"no header", slices.Concat(boxestest.Signature(), boxestest.Codestream()), 1, []string{"ftyp", "ihdr", "colr"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := read(t, test.file)
			got := test.file[c.Codestream.Offset:]
			if !bytes.HasPrefix(got, stream) || test.codestreams == 1 && c.Codestream.Length < length {
				t.Errorf("the codestream is at %v", c.Codestream)
			}
			if c.Codestreams != test.codestreams {
				t.Errorf("got %d codestreams, want %d", c.Codestreams, test.codestreams)
			}
			checkNotes(t, c.Notes, test.notes)
		})
	}
}

// checkNotes checks the number of notes, and that each contains the wanted text.
func checkNotes(t *testing.T, got, want []string) {
	t.Helper()
	ok := len(got) == len(want)
	for i := range min(len(got), len(want)) {
		ok = ok && strings.Contains(got[i], want[i])
	}
	if !ok {
		t.Errorf("notes %q, want %q", got, want)
	}
}

func TestReadRejects(t *testing.T) {
	for _, test := range []struct {
		name string
		file []byte
		want error
	}{
		{"nothing", nil, ErrFormat},
		{"another format", []byte("II*\x00\x08\x00\x00\x00\x00\x00\x00\x00"), ErrFormat},
		{"half a signature", []byte("\x00\x00\x00\x0cjP"), ErrFormat},
		{"no codestream", boxestest.File(rgb()), ErrCorrupt},
		{"fragments", boxestest.File(rgb(), boxestest.Box("ftbl", boxestest.Box("flst", make([]byte, 16)))), ErrUnsupported},
	} {
		_, err := Read(&boxestest.Bytes{Content: test.file}, Limits{})
		if !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
	}
}

// failingReader fails at and after an offset.
type failingReader struct {
	boxestest.Bytes
	from int64
	err  error
}

func (f *failingReader) Peek(offset int64, minLength int) ([]byte, error) {
	if offset+int64(minLength) > f.from {
		return nil, f.err
	}
	return f.Bytes.Peek(offset, minLength)
}

// A read error must not start a search.
func TestReadReturnsReaderErrors(t *testing.T) {
	file := boxestest.File(rgb(), boxestest.Codestream(), boxestest.UUID(string(GeoJP2), []byte("a file")))
	broken := errors.New("read error")
	for from := range int64(len(file) - 1) {
		if _, err := Read(&failingReader{boxestest.Bytes{Content: file}, from, broken}, Limits{}); !errors.Is(err, broken) {
			t.Fatalf("from %d on: got %v", from, err)
		}
	}
}

func TestReadSkipsTheCodestream(t *testing.T) {
	long := append(boxestest.FakeCodestream(), make([]byte, 8<<20)...)
	file := boxestest.File(rgb(), boxestest.Box("jp2c", long), boxestest.UUID(string(GeoJP2), []byte("a file")), boxestest.GML("<a/>"))
	r := &boxestest.Bytes{Content: file, Window: 64 << 10}
	c, err := Read(r, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Reads > 2 || r.Read > 128<<10 {
		t.Errorf("%d reads of %d bytes", r.Reads, r.Read)
	}
	if len(c.GeoTIFFs()) != 1 || string(c.Text("gml.root-instance")) != "<a/>" {
		t.Errorf("boxes after the codestream: %q and %q", c.GeoTIFFs(), c.Labeled)
	}
}

func TestImageHeader(t *testing.T) {
	c := read(t, boxestest.File(boxestest.Header(
		boxestest.ImageHeader(37, 21, 3, 0), boxestest.Box("bpcc", []byte{7, 0x8b, 37}), boxestest.EnumeratedColor(17),
		boxestest.Box("res ", boxestest.Resolution("resc", [3]int{3, 2, 2}, [3]int{5, 4, -1}), boxestest.Resolution("resd", [3]int{7, 1, 0}, [3]int{9, 1, 0})),
		boxestest.ImageHeader(1, 1, 1, 1),
	), boxestest.Codestream()))
	if want := (ImageHeader{Width: 37, Height: 21, Components: 3, Compression: 7}); *c.ImageHeader != want {
		t.Errorf("got %+v, want %+v", *c.ImageHeader, want)
	}
	if got := fmt.Sprint(c.BitsPerComponent); got != "[u8 s12 u38]" {
		t.Errorf("bits: %v", got)
	}
	if got := *c.Capture; math.Abs(got.X-0.125) > 1e-12 || math.Abs(got.Y-150) > 1e-12 {
		t.Errorf("capture: %+v", got)
	}
	if got := *c.Display; got != (Resolution{9, 7}) {
		t.Errorf("display: %+v", got)
	}
	checkNotes(t, c.Notes, []string{"another header"})
}

func TestUnsoundHeadersAreNoted(t *testing.T) {
	for _, test := range []struct {
		name string
		box  []byte
		note string
	}{
		{"a resolution of nothing", boxestest.Box("res ", boxestest.Resolution("resc", [3]int{1, 0, 0}, [3]int{1, 1, 0})), "no valid resolution"},
		{"a resolution of no bytes", boxestest.Box("res ", boxestest.Box("resd")), "no valid resolution"},
		{"a strange resolution", boxestest.Box("res ", boxestest.Box("resx")), "in a resolution box"},
		{"a color of no bytes", boxestest.Box("colr"), "has 0 bytes"},
		{"a color without its number", boxestest.Box("colr", []byte{1, 0, 0, 0}), "no color space"},
		{"a color by a strange method", boxestest.Box("colr", []byte{4, 0, 0, 0}), "method 4"},
		{"an invalid profile", boxestest.ProfiledColor(2, 0, []byte("profile")), "invalid profile of 7 bytes"},
		{"a palette of no colors", boxestest.Box("pclr", []byte{0, 0, 1, 7}), "0 colors"},
		{"a palette of too many", boxestest.Box("pclr", []byte{4, 1, 1, 7}), "1025 colors"},
		{"a palette without a size", boxestest.Box("pclr", []byte{0, 1}), "2 bytes"},
		{"a palette too deep", boxestest.Box("pclr", []byte{0, 1, 1, 38}), "39 bits"},
		{"a palette truncated", boxestest.Box("pclr", []byte{0, 3, 2, 7, 15, 1, 2, 3, 4, 5, 6, 7}), "only 2 of its 3"},
		{"a mapping truncated", boxestest.Box("cmap", []byte{0, 0, 0, 0, 0}), "1 bytes too many"},
		{"a mapping of a strange type", boxestest.Box("cmap", []byte{0, 0, 2, 0}), "type 2"},
		{"definitions of nothing", boxestest.Box("cdef", []byte{0}), "empty"},
		{"definitions truncated", boxestest.Box("cdef", []byte{0, 2, 0, 0, 0, 0, 0, 1}), "1 channels of 2"},
		{"a box shorter than its own head", append([]byte{0, 0, 0, 5}, "free"...), "has a length of 5"},
		{"a strange box", boxestest.Box("\x00\x01\x02\x03"), "type 00010203"},
	} {
		t.Run(test.name, func(t *testing.T) {
			checkNotes(t, read(t, boxestest.File(rgb(test.box), boxestest.Codestream())).Notes, []string{test.note})
		})
	}
}

func TestLimits(t *testing.T) {
	kept := bytes.Repeat([]byte("x"), 600)
	deep := boxestest.XML("<a/>")
	for range 6 {
		deep = boxestest.Labeled("in", deep)
	}
	for _, test := range []struct {
		name   string
		limits Limits
		box    []byte
		note   string
	}{
		{"boxes", Limits{Boxes: 7}, append(slices.Repeat(boxestest.Box("free"), 9), slices.Repeat(boxestest.XML("<late/>"), 2)...), "first 7 boxes"},
		{"depth", Limits{Depth: 4}, deep, "lies within 3"},
		{"one box that is kept", Limits{DataBytes: 599}, boxestest.Box("xml ", kept), "600 bytes"},
		{"all that are kept", Limits{TotalBytes: 1199}, slices.Repeat(boxestest.Box("xml ", kept), 2), "600 bytes"},
		{"all profiles", Limits{TotalBytes: 600}, slices.Repeat(boxestest.ProfiledColor(2, 0, boxestest.Profile("RGB ", 2, strings.Repeat("mine", 60))), 2), "is ignored"},
		{"a profile", Limits{DataBytes: 100}, boxestest.ProfiledColor(2, 0, boxestest.Profile("RGB ", 2, "mine")), "is ignored"},
		{"a header", Limits{HeaderBytes: 20}, boxestest.Header(boxestest.Palette(make([]byte, 3), make([]byte, 3), make([]byte, 16)[:3], make([]byte, 3), make([]byte, 3))), "is ignored"},
		{"notes", Limits{Notes: 1}, slices.Repeat(boxestest.Box("\x00\x00\x00\x00"), 9), "is unknown"},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := boxestest.File(rgb(), boxestest.Codestream(), boxestest.Header(test.box))
			c, err := Read(&boxestest.Bytes{Content: file}, test.limits)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(c.Notes, func(n string) bool { return strings.Contains(n, test.note) }) {
				t.Errorf("notes %q, want %q", c.Notes, test.note)
			}
			if len(c.XML) > 1 || len(c.Labeled) > 0 || c.Palette != nil {
				t.Errorf("the content is present")
			}
		})
	}
}

func TestMetadata(t *testing.T) {
	c := read(t, boxestest.File(rgb(), boxestest.XML("<alone/>"),
		boxestest.Labeled("gml.data", boxestest.Labeled("gml.root-instance", boxestest.XML("<root/>")), boxestest.Labeled("CRS.xml\x00", boxestest.XML("<crs/>"))),
		boxestest.UUID(string(GeoJP2), []byte("one")), boxestest.Codestream(),
		boxestest.UUID("be7acfcb-97a9-42e8-9c71-999491e3afac", []byte("xmp")), boxestest.UUID(string(GeoJP2), []byte("two")), boxestest.UUID("none", []byte("short")),
	))
	if got := fmt.Sprintf("%q", c.XML); got != `["<alone/>"]` {
		t.Errorf("XML: %s", got)
	}
	want := []LabeledText{{[]string{"gml.data", "gml.root-instance"}, []byte("<root/>")}, {[]string{"gml.data", "CRS.xml"}, []byte("<crs/>")}}
	if fmt.Sprint(c.Labeled) != fmt.Sprint(want) {
		t.Errorf("labelled: %q, want %q", c.Labeled, want)
	}
	if got := c.Text("crs.xml"); string(got) != "<crs/>" {
		t.Errorf("by name: %q", got)
	}
	if got := fmt.Sprintf("%q", c.GeoTIFFs()); got != `["one" "two"]` {
		t.Errorf("GeoTIFFs: %s", got)
	}
	if u := c.UUIDs[1]; u.ID != "be7acfcb-97a9-42e8-9c71-999491e3afac" || u.Size != 3 || u.Data != nil {
		t.Errorf("another UUID: %+v", u)
	}
	checkNotes(t, c.Notes, []string{"has no UUID"})
}

// Labels of one association are not overwritten by those of the next, at any depth.
func TestLabelsOfNeighbors(t *testing.T) {
	neighbors := [][]byte{boxestest.Labeled("d", boxestest.XML("<d/>")), boxestest.Labeled("e", boxestest.XML("<e/>"))}
	c := read(t, boxestest.File(rgb(), boxestest.Codestream(), boxestest.Labeled("a", boxestest.Labeled("b", boxestest.Labeled("c", neighbors...)))))
	if got, want := fmt.Sprintf("%s", c.Labeled), "[{[a b c d] <d/>} {[a b c e] <e/>}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Headers of later codestreams and layers do not describe the image.
func TestHeadersOfOtherLayers(t *testing.T) {
	first, second := boxestest.Box("jplh", boxestest.Box("cgrp", boxestest.EnumeratedColor(17))), boxestest.Box("jplh", boxestest.Box("cgrp", boxestest.EnumeratedColor(16)))
	c := read(t, boxestest.File(boxestest.Header(boxestest.ImageHeader(3, 5, 1, 7)), first, second, boxestest.Codestream()))
	if len(c.ColorSpecs) != 1 || c.ColorSpecs[0].Space != Gray {
		t.Errorf("got %v, want gray alone", c.ColorSpecs)
	}
}
