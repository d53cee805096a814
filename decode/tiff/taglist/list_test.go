package taglist

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"tileserver/decode/tiff/tifftest"
	"tileserver/source"
)

// photo returns a picture of a camera, on the earth: with an overview below it, and directories of
// Exif, GPS and interoperability data.
func photo() tifftest.File {
	const rational = 5
	interoperability := []tifftest.Tag{{ID: 1, Value: "R98"}, {ID: 2, Value: []byte("0100")}}
	exif := []tifftest.Tag{
		{ID: 33434, Type: rational, Value: []uint32{1, 250}}, {ID: 33437, Type: rational, Value: []uint32{28, 10}},
		{ID: 34850, Value: []uint16{3}}, {ID: 36864, Value: []byte("0230")}, {ID: 40965, Value: interoperability},
	}
	gps := []tifftest.Tag{
		{ID: 0, Type: 1, Value: []byte{2, 3, 0, 0}}, {ID: 1, Value: "N"},
		{ID: 2, Type: rational, Value: []uint32{48, 1, 8, 1, 1234, 100}}, {ID: 999, Value: []uint16{7}},
	}
	small := tifftest.Image{Width: 9, Height: 7, Value: wave, Subfile: tifftest.Overview}
	return tifftest.File{BigEndian: true, Images: []tifftest.Image{{
		Width: 18, Height: 14, Value: wave, NoData: "0", Children: []tifftest.Image{small},
		Tags: append(tifftest.GeoTIFF(tifftest.Georeference{EPSG: 32633, OriginX: 500_000, OriginY: 5_300_000, PixelX: 2, PixelY: 3}),
			tifftest.Tag{ID: 270, Value: "two\nlines \x1b[31mred\x1b[0m \u202e of Zürich, and Z\xfcrich in Latin-1"},
			tifftest.Tag{ID: 700, Type: 1, Value: []byte("<?xpacket begin=\"\ufeff\"?>")},
			tifftest.Tag{ID: 34665, Value: exif}, tifftest.Tag{ID: 34853, Value: gps},
			tifftest.Tag{ID: 60000, Value: []float64{0.1, -1e300}},
		),
	}}}
}

// wave is the value of a pixel.
func wave(x, y, _ int) float64 { return float64((x*7 + y*13) % 251) }

func encode(t testing.TB, f tifftest.File) []byte {
	t.Helper()
	data, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func read(t testing.TB, data []byte) *List {
	t.Helper()
	list, err := Read(t.Context(), source.NewBytes("test", data))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// tagLines returns the tags of a list, each as a line.
func tagLines(list *List) (lines []string) {
	for _, d := range list.Directories {
		for _, tag := range d.Tags {
			line := fmt.Sprintf("%d %d %s %s %d %s|%s|%s", d.Number, tag.Number, tag.Name, tag.Type, tag.Count, tag.Value, tag.Meaning, tag.Problem)
			lines = append(lines, line)
			for _, k := range tag.Keys {
				lines = append(lines, fmt.Sprintf("%d key %d %s %s|%s", d.Number, k.Number, k.Name, k.Value, k.Problem))
			}
		}
	}
	return lines
}

func TestRead(t *testing.T) {
	list := read(t, encode(t, photo()))
	if list.BigTIFF || list.ByteOrder != "big endian" || len(list.Notes) > 0 {
		t.Errorf("got %+v", list)
	}
	var kinds []string
	for _, d := range list.Directories {
		kinds = append(kinds, fmt.Sprintf("%d %s below %d", d.Number, d.Kind, d.Parent))
	}
	if got, want := strings.Join(kinds, ", "), "1 image below 0, 2 overview below 1, 3 Exif below 1, 4 interoperability below 3, 5 GPS below 1"; got != want {
		t.Errorf("got the directories %s, want %s", got, want)
	}
	got := strings.Join(tagLines(list), "\n")
	for _, want := range []string{
		"1 256 ImageWidth Long 1 18||",
		"1 259 Compression Short 1 1|none|",
		"1 262 PhotometricInterpretation Short 1 1|minisblack|",
		`1 270 ImageDescription ASCII 61 "two\nlines \x1b[31mred\x1b[0m \u202e of Zürich, and Z\xfcrich in Latin-1"||`,
		"1 339 SampleFormat Short 1 1|unsigned|",
		`1 700 XMP Byte 23 "<?xpacket begin=\"\ufeff\"?>"||`,
		"1 33550 ModelPixelScaleTag Double 3 2, 3, 0||",
		"1 key 1024 GTModelTypeGeoKey 1|",
		"1 key 3072 ProjectedCSTypeGeoKey 32633|",
		`1 42113 GDAL_NODATA ASCII 2 "0"||`,
		"1 60000  Double 2 0.1, -1e+300||",
		"2 254 NewSubfileType Long 1 1||",
		"3 33434 ExposureTime Rational 1 1/250||",
		"3 33437 FNumber Rational 1 28/10|f/2.8|",
		"3 34850 ExposureProgram Short 1 3|Aperture priority|",
		`3 36864 ExifVersion Undefined 4 "0230"||`,
		`4 1 InteroperabilityIndex ASCII 4 "R98"||`,
		"5 0 GPSVersionID Byte 4 2, 3, 0, 0||",
		"5 2 GPSLatitude Rational 3 48/1, 8/1, 1234/100||",
		"5 999  Short 1 7||",
	} {
		if !strings.Contains("\n"+got+"\n", "\n"+want+"\n") {
			t.Errorf("no line %s", want)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}

// TestListOfDamagedTags lists what is sound of files that contradict themselves.
func TestListOfDamagedTags(t *testing.T) {
	for _, test := range []struct {
		name string
		file []byte
		want string // part of the lines and notes
	}{
		{"a value past the end", rawFile(0, rawImage(rawEntry{258, 3, 40, 1 << 20})...), "1 258 BitsPerSample Short 40 ||the file ends at 122, before the end of its 80 bytes at 1048576\n"},
		{"no value", rawFile(0, rawImage(rawEntry{305, 2, 0, 0})...), `1 305 Software ASCII 0 ""||`},
		{"an unknown type", rawFile(0, rawImage(rawEntry{305, 99, 1, 0})...), "1 305 Software type 99 1 ||tag 305 of unknown type 99"},
		{"a tag twice", rawFile(0, append(rawImage(), rawEntry{257, 3, 1, 77})...), "1 257 ImageLength Short 1 77||"},
		{"no width", rawFile(0, rawEntry{257, 3, 1, 77}), "1 257 ImageLength Short 1 77||"},
		{"a ring", rawFile(8, rawImage()...), "linked to twice"},
		{"a ring of Exif data", rawFile(0, rawImage(rawEntry{34665, 4, 1, 8})...), "linked to twice"},
		{"Exif data past the end", rawFile(0, rawImage(rawEntry{34665, 4, 1, 1 << 20})...), "below directory 1"},
		{"keys past the end", rawFile(0, rawImage(rawEntry{34735, 3, 400, 1 << 20})...), "34735 GeoKeyDirectoryTag Short 400 ||"},
		{"fewer keys than promised", append(rawFile(0, rawImage(rawEntry{34735, 3, 8, 8 + 2 + 10*12 + 4})...),
			"\x01\x00\x01\x00\x00\x00\xff\xff\x00\x0c\xb0\x87\x03\x00\x09\x00"...),
			"1 key 3072 ProjectedCSTypeGeoKey |its value is in tag 34736, which is missing"},
		{"a key past the end", append(rawFile(0, rawImage(rawEntry{34735, 3, 8, 8 + 2 + 10*12 + 4})...),
			"\x01\x00\x01\x00\x00\x00\x01\x00\x00\x0c\xaf\x87\x03\x00\x09\x00"...),
			"1 key 3072 ProjectedCSTypeGeoKey |its 3 values begin at 9 of the 8 of tag 34735"},
	} {
		list := read(t, test.file)
		lines := append(tagLines(list), list.Notes...)
		if !strings.Contains(strings.Join(lines, "\n"), test.want) {
			t.Errorf("%s: got\n%s\nwant %s", test.name, strings.Join(lines, "\n"), test.want)
		}
	}
}

func TestListOfLongValues(t *testing.T) {
	numbers := make([]uint16, 5000)
	text := strings.Repeat("é", 5000)
	img := tifftest.Image{Width: 3, Height: 2, Value: wave}
	img.Tags = []tifftest.Tag{{ID: 60001, Value: numbers}, {ID: 60002, Value: text}, {ID: 60003, Type: 1, Value: []byte(text)}}
	lines := tagLines(read(t, encode(t, tifftest.File{Images: []tifftest.Image{img}})))
	last := lines[len(lines)-3:]
	for i, want := range []string{
		"1 60001  Short 5000 " + strings.Repeat("0, ", 16) + "… (4984 more)||",
		`1 60002  ASCII 10001 "` + strings.Repeat("é", 120) + `"… (9761 more bytes)||`,
		`1 60003  Byte 10000 "` + strings.Repeat("é", 120) + `"… (9760 more bytes)||`,
	} {
		if last[i] != want {
			t.Errorf("got  %s\nwant %s", last[i], want)
		}
	}
}

func TestOnlyTIFFsHaveTags(t *testing.T) {
	for name, data := range map[string]string{"GIF": "GIF89a..........", "short": "II*\x00", "version 85": "II\x55\x00\x08\x00\x00\x00"} {
		if _, err := Read(t.Context(), source.NewBytes("test", []byte(data))); !errors.Is(err, ErrNoTIFF) {
			t.Errorf("%s: got %v, want %v", name, err, ErrNoTIFF)
		}
	}
	_, err := Read(t.Context(), source.NewBytes("test", rawFile(0, rawImage()...)[:40]))
	if err == nil || errors.Is(err, ErrNoTIFF) {
		t.Errorf("a TIFF that is cut off: got %v", err)
	}
}

// maxToList is the memory that the limits allow, for values and for what is built from them.
const maxToList = 512 << 20

// TestListsOfBombsAreBounded lists directories that demand much memory.
func TestListsOfBombsAreBounded(t *testing.T) {
	const large = 16 << 20
	noise := []byte(strings.Repeat("\x01", large))
	for name, file := range map[string][]byte{
		"directories that overlap": manyBelow(),
		"long keys":                rawChain(16000, 34735, 1, noise),
		"long key values":          rawChain(16000, 34737, 2, noise),
		"long text":                rawChain(16000, 42112, 2, noise),
	} {
		grown := allocatedBy(func() { Read(t.Context(), source.NewBytes("bomb", file)) })
		if grown > maxToList {
			t.Errorf("%s: %d MiB were allocated", name, grown>>20)
		}
	}
}

// FuzzRead lists the tags of arbitrary data.
func FuzzRead(f *testing.F) {
	f.Add(encode(f, photo()))
	f.Add(encode(f, tifftest.File{COG: true, BigTIFF: true, Images: photo().Images}))
	f.Add(rawFile(8, rawImage(rawEntry{34665, 4, 1, 8}, rawEntry{34735, 3, 8, 8})...))
	f.Fuzz(func(t *testing.T, data []byte) {
		var list *List
		grown := allocatedBy(func() { list, _ = Read(t.Context(), source.NewBytes("test", data)) })
		if grown > maxToList {
			t.Fatalf("%d MiB were allocated", grown>>20)
		}
		if list == nil {
			return
		}
		for _, line := range tagLines(list) {
			if strings.ContainsFunc(line, unicode.IsControl) {
				t.Fatalf("a control character in %q", line)
			}
		}
		if _, err := json.Marshal(list); err != nil {
			t.Fatal(err)
		}
	})
}
