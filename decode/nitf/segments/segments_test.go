package segments

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"tileserver/decode"
	"tileserver/decode/nitf/nitftest"
	"tileserver/source"
)

// memory is a file in memory.
type memory []byte

func (m memory) Size() int64 { return int64(len(m)) }

func (m memory) Peek(offset int64, _ int) ([]byte, error) {
	if offset < 0 || offset >= int64(len(m)) {
		return nil, nil
	}
	return m[offset:], nil
}

func read(t *testing.T, f nitftest.File) *File {
	t.Helper()
	s, err := Read(memory(f.Bytes()), DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFieldsOfImages(t *testing.T) {
	for version, want := range map[nitftest.Version]Version{nitftest.NITF21: NITF21, nitftest.NITF20: NITF20, nitftest.NSIF10: NSIF10} {
		f := read(t, nitftest.File{Version: version, Title: "A scene", Images: []nitftest.Image{
			{
				Name: "FIRST", Width: 37, Height: 21, BlockWidth: 16, BlockHeight: 8, Mode: "P", Bits: 16, ActualBits: 11, LeftJustified: true,
				Bands:          []nitftest.Band{{Representation: "R", Subcategory: "650"}, {Representation: "G", LUTs: [][]byte{{1, 2}, {3, 4}}}},
				Representation: "MULTI", Comments: []string{"one", "two"}, DisplayLevel: 3, AttachmentLevel: 2, Row: -5, Column: 7,
				Coordinates: "G", Corners: [4][2]float64{{51.5, -0.5}, {51.5, 0.5}, {50.5, 0.5}, {50.5, -0.5}},
			},
			{Name: "SECOND", Compression: "C3"},
		}})
		if f.Version != want || f.Header.Title != "A scene" || len(f.Images) != 2 || len(f.Notes) > 0 {
			t.Fatalf("%v: %v, %q, %d images, notes %q", want, f.Version, f.Header.Title, len(f.Images), f.Notes)
		}
		m := f.Images[0]
		wantBands := []Band{{Color: "R", Subcategory: "650"}, {Color: "G", Tables: [][]byte{{1, 2}, {3, 4}}}}
		if !reflect.DeepEqual(m.Bands, wantBands) || !reflect.DeepEqual(m.Comments, []string{"one", "two"}) {
			t.Errorf("%v: bands %+v, comments %q", want, m.Bands, m.Comments)
		}
		m.Bands, m.Comments = nil, nil
		wanted := Image{
			Subheader: m.Subheader, Content: m.Content, ID: "FIRST", Date: m.Date, Title: m.Title, Security: Security{Classification: "U"},
			Rows: 21, Columns: 37, SampleType: "INT", Colors: "MULTI", Category: "VIS", UsedBits: 11, LeftAligned: true,
			Coordinates: "G", Corners: "513000N0003000W513000N0003000E503000N0003000E503000N0003000W",
			Compression: "NC", Mode: "P", BlockColumns: 3, BlockRows: 3, BlockWidth: 16, BlockHeight: 8, Bits: 16,
			DisplayLevel: 3, AttachmentLevel: 2, Row: -5, Column: 7, Magnification: "1.0",
		}
		if !reflect.DeepEqual(m, wanted) {
			t.Errorf("%v: got %+v, want %+v", want, m, wanted)
		}
		if second := f.Images[1]; second.ID != "SECOND" || second.Rate != "00.0" || second.Subheader.Offset != m.Content.End() {
			t.Errorf("%v: the second image is %+v", want, second)
		}
	}
}

func TestExtensionsAreFoundEverywhere(t *testing.T) {
	tre := func(tag string) []nitftest.TRE { return []nitftest.TRE{{Tag: tag, Data: []byte("data of " + tag)}} }
	for _, version := range []nitftest.Version{nitftest.NITF21, nitftest.NITF20} {
		f := read(t, nitftest.File{
			Version: version, UserTREs: tre("FUSER"), TREs: tre("FEXT"), UserOverflow: tre("FUOVER"), Overflow: tre("FOVER"),
			Images:     []nitftest.Image{{}, {UserTREs: tre("IUSER"), TREs: tre("IEXT"), UserOverflow: tre("IUOVER"), Overflow: tre("IOVER")}},
			Extensions: []nitftest.Extension{{ID: "XML_DATA_CONTENT", Header: []byte("1234"), Data: []byte("<a/>")}},
		})
		for _, all := range []struct {
			of   string
			tres []TRE
			want string
		}{
			{"file", f.TREs, "FUSER/UDHD FEXT/XHD FUOVER/TRE_OVERFLOW FOVER/TRE_OVERFLOW"},
			{"image 2", f.Images[1].TREs, "IUSER/UDID IEXT/IXSHD IUOVER/TRE_OVERFLOW IOVER/TRE_OVERFLOW"},
		} {
			var got []string
			for _, t := range all.tres {
				got = append(got, t.Tag+"/"+t.Place)
			}
			if strings.Join(got, " ") != all.want {
				t.Errorf("%s of version %v: got %q, want %q (%q)", all.of, version, got, all.want, f.Notes)
			}
		}
		if len(f.Data) != 1 || f.Data[0].ID != "XML_DATA_CONTENT" || string(f.Data[0].Parameters) != "1234" || f.Data[0].Content.Length != 4 {
			t.Errorf("version %v: data extensions %+v", version, f.Data)
		}
		if found := FindTRE(f.TREs, "FEXT"); found == nil || string(found.Data) != "data of FEXT" || FindTRE(f.TREs, "NONE") != nil {
			t.Errorf("FEXT is %+v", found)
		}
	}
}

func TestManyBands(t *testing.T) {
	const count = 12_345
	f := read(t, nitftest.File{Images: []nitftest.Image{{Width: 1, Height: 1, Bands: make([]nitftest.Band, count), Representation: "MULTI"}}})
	if len(f.Images[0].Bands) != count {
		t.Errorf("%d bands, want %d", len(f.Images[0].Bands), count)
	}
}

func TestExtensionsWithWrongLengthsAreNoted(t *testing.T) {
	f := read(t, nitftest.File{Images: []nitftest.Image{{TREs: []nitftest.TRE{{Tag: "GOOD", Data: []byte("1")}, {Tag: "BAD", Data: []byte("2")}}, Fields: nitftest.Fields{
		"IXSHD": "GOOD  000011BAD   99999" + "2",
	}}}})
	if all := f.Images[0].TREs; len(all) != 1 || all[0].Tag != "GOOD" || len(f.Notes) != 1 || !strings.Contains(f.Notes[0], "BAD") {
		t.Errorf("got %+v and the notes %q", all, f.Notes)
	}
}

// A subheader that ends with blanks is as long as the file header says, in a file that is cut off too.
func TestBlanksAfterASubheader(t *testing.T) {
	const blanks, pixels = "   ", 35
	data := nitftest.File{Images: []nitftest.Image{{Fields: nitftest.Fields{"IXSHDL": "00000" + blanks}}}}.Bytes()
	for _, cut := range []int{0, 1, len(blanks), pixels - 1} {
		f, err := Read(memory(data[:len(data)-cut]), DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		want := source.Range{Offset: int64(len(data) - pixels), Length: int64(pixels - cut)}
		if got := f.Images[0].Content; got != want {
			t.Errorf("%d bytes cut off: the pixels are at %v, want %v (%q)", cut, got, want, f.Notes)
		}
	}
}

// An image whose subheader is damaged keeps its number, and those after it are found.
func TestDamagedSubheaders(t *testing.T) {
	for damaged := range 3 {
		for field, value := range map[string]string{"NBPP": "XX", "IM": "??", "NROWS": "0000000X", "NBANDS": "\x01"} {
			images := make([]nitftest.Image, 3)
			images[damaged].Fields = nitftest.Fields{field: value}
			f := read(t, nitftest.File{Images: images, Texts: []nitftest.Segment{{Subheader: []byte("TE"), Data: []byte("text")}}})
			if len(f.Images) != 3 || len(f.Texts) != 1 || len(f.Notes) != 2 {
				t.Fatalf("%s of image %d: %d images, %d texts, notes %q", field, damaged+1, len(f.Images), len(f.Texts), f.Notes)
			}
			for i, m := range f.Images {
				if (m.Damage != nil) != (i == damaged) || m.Content.Length != 35 {
					t.Errorf("%s of image %d: image %d has %d bytes: %v", field, damaged+1, i+1, m.Content.Length, m.Damage)
				}
			}
		}
	}
}

// Fields that should have lengths and have none cost nothing that other lengths tell.
func TestLengthsThatAreNone(t *testing.T) {
	const pixels = 35
	for name, fields := range map[string]nitftest.Fields{
		"FL": {"FL": "XXXXXXXXXXXX"}, "a negative FL": {"FL": "-00000000001"}, "HL": {"HL": "ABCDEF"}, "UDHDL": {"UDHDL": "ABCDE"},
		"XHDL": {"XHDL": "VWXYZ"}, "a short XHDL": {"XHDL": "00002"}, "a long XHDL": {"XHDL": "99999"},
		"LISH": {"LISH001": "ABCDEF"}, "LI": {"LI001": "ABCDEFGHIJ"}, "a negative LI": {"LI001": "-000000005"}, "the last LI": {"LI002": "ABCDEFGHIJ"},
	} {
		f, err := Read(memory(nitftest.File{Images: make([]nitftest.Image, 2), Fields: fields}.Bytes()), DefaultLimits())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(f.Images) != 2 || f.Images[0].Content.Length != pixels || f.Images[1].Content.Length != pixels || len(f.Notes) == 0 {
			t.Errorf("%s: %+v, notes %q", name, f.Images, f.Notes)
		}
	}
	for name, fields := range map[string]nitftest.Fields{"UDIDL": {"UDIDL": "ABCDE"}, "a short IXSHDL": {"IXSHDL": "00001"}, "a long IXSHDL": {"IXSHDL": "99999"}} {
		f := read(t, nitftest.File{Images: []nitftest.Image{{Fields: fields}, {}}})
		if len(f.Images) != 2 || f.Images[0].Damage != nil || f.Images[0].Content.Length != pixels || len(f.Notes) != 1 {
			t.Errorf("%s: %+v, notes %q", name, f.Images, f.Notes)
		}
	}
}

// Images are found whatever number of them the header says, if it ends where it says.
func TestWrongNumbersOfImages(t *testing.T) {
	const pixels = 35
	for _, count := range []int{1, 2, 11} {
		for _, said := range []string{"000", "001", "002", "003", "012", "999", "XXX", "-01"} {
			f := nitftest.File{
				Images: make([]nitftest.Image, count), Fields: nitftest.Fields{"NUMI": said},
				TREs: []nitftest.TRE{{Tag: "TAGGED", Data: []byte("1")}}, Extensions: []nitftest.Extension{{ID: "XML_DATA_CONTENT", Data: []byte("<a/>")}},
			}
			s := read(t, f)
			if len(s.Images) != count || len(s.Data) != 1 || len(s.TREs) != 1 || s.Images[count-1].Content.Length != pixels {
				t.Errorf("%d images, NUMI %s: %d images, %d extensions, notes %q", count, said, len(s.Images), len(s.Data), s.Notes)
			}
			if isTrue := fmt.Sprintf("%03d", count) == said; isTrue != (len(s.Notes) == 0) {
				t.Errorf("%d images, NUMI %s: notes %q", count, said, s.Notes)
			}
		}
	}
}

// streamed returns a file of two images that was written as a stream.
func streamed() nitftest.File {
	f := nitftest.File{Images: []nitftest.Image{{}, {Width: 9}}}
	const marks = 7 + 4 + 4 + 7
	header := func() []byte {
		data := f.Bytes()
		length, _ := strconv.Atoi(string(data[354:360])) // HL
		return data[:length]
	}
	f.Extensions = []nitftest.Extension{{ID: "STREAMING_FILE_HEADER"}}
	length := len(header())
	f.Extensions[0].Data = make([]byte, length+marks)
	replacement := header()
	number := fmt.Sprintf("%07d", length)
	f.Extensions[0].Data = []byte(number + "\x0a\x6e\x1d\x97" + string(replacement) + "\x0e\xca\x14\xbf" + number)
	f.Fields = nitftest.Fields{"FL": "999999999999", "LI001": "9999999999", "LI002": "9999999999", "LD001": "999999999"}
	return f
}

// The header at the end of a file that was written as a stream replaces the first one.
func TestStreamedFiles(t *testing.T) {
	s := read(t, streamed())
	if len(s.Images) != 2 || s.Images[0].Content.Length != 35 || s.Images[1].Columns != 9 || len(s.Data) != 1 || len(s.Notes) != 1 {
		t.Errorf("%d images, %+v, notes %q", len(s.Images), s.Images, s.Notes)
	}
}

func TestLimits(t *testing.T) {
	data := nitftest.File{Images: []nitftest.Image{{Bands: make([]nitftest.Band, 20), Representation: "MULTI"}}}.Bytes()
	for name, change := range map[string]func(*Limits){
		"subheaders": func(l *Limits) { l.SubheaderBytes = 300 }, "bands": func(l *Limits) { l.Bands = 19 }, "sides": func(l *Limits) { l.Side = 6 },
	} {
		limits := DefaultLimits()
		change(&limits)
		f, err := Read(memory(data), limits)
		if err == nil && f.Images[0].Damage == nil {
			t.Errorf("%s: no limit", name)
		}
	}
}

func TestOtherFilesAreRefused(t *testing.T) {
	for head, want := range map[string]error{"NITF01.10": decode.ErrUnsupported, "NITF09.99": decode.ErrUnsupported, "NITF": ErrCorrupt, "NITF02.10": ErrCorrupt} {
		if _, err := Read(memory(head), DefaultLimits()); !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", head, err, want)
		}
	}
}

// FuzzRead reads headers and extensions that are damaged anywhere.
func FuzzRead(f *testing.F) {
	for _, version := range []nitftest.Version{nitftest.NITF21, nitftest.NITF20, nitftest.NSIF10} {
		f.Add(nitftest.File{
			Version: version, TREs: []nitftest.TRE{{Tag: "ABC", Data: []byte("12")}}, Overflow: []nitftest.TRE{{Tag: "DEF", Data: []byte("3")}},
			Images: []nitftest.Image{{}, {Bands: make([]nitftest.Band, 9), Overflow: []nitftest.TRE{{Tag: "GHI", Data: nil}}}},
		}.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Read(memory(data), DefaultLimits())
		if err != nil {
			return
		}
		for _, m := range s.Images {
			if m.Content.Offset < 0 || m.Content.Length < 0 || m.Content.End() > int64(len(data)) {
				t.Errorf("an image at %v of %d bytes", m.Content, len(data))
			}
		}
	})
}
