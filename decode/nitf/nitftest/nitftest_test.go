package nitftest

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	jpeg "tileserver/codec/jpeg/decoder"
	"tileserver/codec/vq"
)

// Every file says its own length, and that of its header, where the standard has them.
func TestLengthsAreWhereTheStandardHasThem(t *testing.T) {
	for _, version := range []Version{NITF21, NITF20, NSIF10} {
		for name, f := range map[string]File{
			"zero value": {Version: version},
			"no image":   {Version: version, WithoutImages: true},
			"everything": {
				Version: version, Images: []Image{{}, {Compression: "NM"}, {Width: 9}},
				Graphics: []Segment{{Subheader: []byte("SY"), Data: []byte("graphic")}}, Texts: []Segment{{Subheader: []byte("TE"), Data: []byte("text"), Length: 9}},
				Extensions: []Extension{{ID: "XML_DATA_CONTENT", Header: []byte("user"), Data: []byte("<a/>")}},
				TREs:       []TRE{{"AAAAAA", []byte("a")}}, UserTREs: []TRE{{"BBBBBB", []byte("b")}},
				Overflow: []TRE{{"CCCCCC", []byte("c")}}, UserOverflow: []TRE{{"DDDDDD", []byte("d")}},
			},
		} {
			file := f.Bytes()
			const lengthAt, headerLengthAt, imagesAt, smallest = 342, 354, 360, 388
			if got := number(t, file[lengthAt:headerLengthAt]); got != len(file) {
				t.Errorf("%v %s: FL is %d, want %d", version, name, got, len(file))
			}
			images := map[string]int{"zero value": 1, "no image": 0, "everything": 3}[name]
			if got := number(t, file[imagesAt:imagesAt+3]); got != images {
				t.Errorf("%v %s: NUMI is %d, want %d", version, name, got, images)
			}
			headerBytes := number(t, file[headerLengthAt:imagesAt])
			switch {
			case images == 0 && (headerBytes != smallest || len(file) != smallest):
				t.Errorf("%v %s: HL is %d of %d bytes, want %d", version, name, headerBytes, len(file), smallest)
			case images > 0 && string(file[headerBytes:][:2]) != "IM":
				t.Errorf("%v %s: no image behind a header of %d bytes", version, name, headerBytes)
			}
		}
	}
}

// A file of 30 GB takes no room.
func TestSparseFile(t *testing.T) {
	const length = 9_999_999_999
	large := Image{Width: 99_999, Height: 99_999, BlockWidth: 1024, BlockHeight: 1024, Data: []byte("data"), Length: length}
	file, err := os.Create(filepath.Join(t.TempDir(), "large.ntf"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	images, err := File{Images: []Image{large, large, large}}.WriteSparse(file)
	if err != nil {
		t.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if want := images[2] + length; info.Size() != want || len(images) != 3 {
		t.Errorf("%d bytes, want %d", info.Size(), want)
	}
	for i, at := range images {
		data := make([]byte, 6)
		if _, err := file.ReadAt(data, at); err != nil || string(data) != "data\x00\x00" {
			t.Errorf("image %d begins with %q, %v", i, data, err)
		}
	}
}

func number(t *testing.T, digits []byte) int {
	t.Helper()
	n, err := strconv.Atoi(string(digits))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestFieldsAreReplaced(t *testing.T) {
	sound := File{}.Bytes()
	lying := File{Fields: Fields{"FL": "999999999999"}, Images: []Image{{Fields: Fields{"NBPR": "0077"}}}}.Bytes()
	if len(lying) != len(sound) || !bytes.Contains(lying, []byte("B00770001")) || !bytes.Contains(lying, []byte("999999999999")) {
		t.Errorf("got %q", lying)
	}
}

func TestExtensionsHaveTheirLengths(t *testing.T) {
	for want, tre := range map[int]TRE{
		1041: RPC{HeightOffset: -12, LatitudeOffset: -1.5, LineNumerator: [20]float64{-1e-9, 0, 123456}}.TRE(),
		224:  Chip{}.TRE(),
		// Of the count to the mask, the unit, and three bands.
		122 + 1 + 3*(50+1+7+7): SpectralBands{
			Count: 3, Names: make([]string, 3), Bad: make([]bool, 3), Wavelengths: make([]float64, 3), Widths: make([]float64, 3),
		}.TRE(),
		122: SpectralBands{Count: 2}.TRE(),
	} {
		if len(tre.Data) != want {
			t.Errorf("%s has %d bytes, want %d", tre.Tag, len(tre.Data), want)
		}
	}
	if got := coefficient(-1.25e-7); got != "-1.250000E-7" {
		t.Errorf("a coefficient is %q", got)
	}
}

func TestMasks(t *testing.T) {
	m := Image{
		Width: 5, Height: 3, BlockWidth: 3, BlockHeight: 2, Compression: "NM", Bits: 16, Pad: 0xBEEF, Mode: "S", Bands: bands(2),
		Missing: func(column, row, band int) bool { return column == 1 && row == 0 && band == 1 },
		Invalid: func(x, y int) bool { return x == 0 && y == 0 },
	}.withDefaults(1)
	data := m.data()
	const blockBytes = 3 * 2 * 2
	var offsets []uint32
	for i := range 16 {
		offsets = append(offsets, binary.BigEndian.Uint32(data[12+4*i:]))
	}
	if want := "\x00\x00\x00\x4C\x00\x04\x00\x04\x00\x10\xBE\xEF"; !strings.HasPrefix(string(data), want) {
		t.Errorf("the header is %x, want %x", data[:12], want)
	}
	// All blocks but the first reach beyond the image.
	for i, want := range []uint32{
		0, 1, 2, 3, 4, missing, 5, 6,
		0, 1, 2, 3, 4, missing, 5, 6,
	} {
		if want != missing {
			want *= blockBytes
		}
		if offsets[i] != want {
			t.Errorf("offset %d is %#x, want %#x", i, offsets[i], want)
		}
	}
	if want := 12 + 4*16 + 7*blockBytes; len(data) != want {
		t.Errorf("%d bytes, want %d", len(data), want)
	}
	if first := data[0x4C:]; binary.BigEndian.Uint16(first) != 0xBEEF || binary.BigEndian.Uint16(first[2:]) != uint16(m.Value(1, 0, 0)) {
		t.Errorf("the first block begins with %x", first[:4])
	}
}

func TestJustification(t *testing.T) {
	for _, test := range []struct {
		image Image
		want  []byte
	}{
		{Image{Bits: 16, ActualBits: 11, LeftJustified: true}, []byte{0x91, 0x80}},
		{Image{Bits: 16, ActualBits: 11}, []byte{0x04, 0x8C}},
		{Image{Bits: 12, ActualBits: 12, Width: 2}, []byte{0x48, 0xC4, 0x8D}},
		{Image{ValueType: "SI", Value: func(int, int, int) float64 { return -3 }, Bits: 16, ActualBits: 4}, []byte{0xFF, 0xFD}},
		{Image{ValueType: "SI", Value: func(int, int, int) float64 { return -9 }, Bits: 8, ActualBits: 4, LeftJustified: true}, []byte{0x80}},
		{Image{ValueType: "C", Value: func(int, int, int) float64 { return 1 }, Bits: 64}, []byte{0x3F, 0x80, 0, 0, 0, 0, 0, 0}},
		{Image{Value: func(int, int, int) float64 { return 1e30 }, Bits: 64}, []byte{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xF8, 0}},
	} {
		if test.image.Value == nil {
			test.image.Value = func(x, _, _ int) float64 { return float64(1164 + x) }
		}
		m := test.image
		replaceZero(&m.Width, 1)
		m.Height = 1
		m = m.withDefaults(1)
		if got := m.data(); !bytes.Equal(got, test.want) {
			t.Errorf("%d of %d bits: %x, want %x", m.ActualBits, m.Bits, got, test.want)
		}
	}
}

func TestLossyJPEG(t *testing.T) {
	for _, mode := range []string{"B", "P"} {
		for _, bits := range []int{8, 12} {
			m := Image{
				Width: 27, Height: 21, Mode: mode, Bands: bands(2), Compression: "C3", Bits: 16, ActualBits: bits,
				Value: func(x, y, band int) float64 { return float64((x*x*7 + y*31 + band*55) % (1 << bits)) },
			}.withDefaults(1)
			var d jpeg.Decoder
			f, err := d.Open(m.data(), nil)
			if err != nil || f.Bits != bits || f.Components != 2 {
				t.Fatalf("%+v, %v", f, err)
			}
			narrow, wide := jpeg.Picture[uint8]{Width: 27, Height: 21}, jpeg.Picture[uint16]{Width: 27, Height: 21}
			for i := range 2 {
				narrow.Planes[i], wide.Planes[i] = make([]uint8, 27*21), make([]uint16, 27*21)
			}
			if bits == 8 {
				err = d.Decode8(&narrow)
			} else {
				err = d.Decode16(&wide)
			}
			if err != nil {
				t.Fatal(err)
			}
			for band := range 2 {
				for i := range 27 * 21 {
					got := float64(wide.Planes[band][i]) + float64(narrow.Planes[band][i])
					if want := m.Value(i%27, i/27, band); got < want-1 || got > want+1 {
						t.Fatalf("mode %s, %d bits: sample %d of band %d is %g, want %g", mode, bits, i, band, got, want)
					}
				}
			}
		}
	}
}

func TestLosslessJPEG(t *testing.T) {
	for predictor := 1; predictor <= 7; predictor++ {
		for _, bits := range []int{2, 8, 12, 16} {
			m := Image{
				Width: 11, Height: 9, Mode: "BP"[predictor%2:][:1], Bands: bands(3), Compression: "C5", Bits: 16, ActualBits: bits,
				Value:    func(x, y, band int) float64 { return float64((x*x*977 + y*31 + band*5003) % (1 << bits)) },
				Lossless: Lossless{Predictor: predictor, RestartRows: predictor % 3, PointBits: predictor % 2},
			}.withDefaults(1)
			var d jpeg.Decoder
			if _, err := d.Open(m.data(), nil); err != nil {
				t.Fatal(err)
			}
			p := jpeg.Picture[uint16]{Width: 11, Height: 9}
			for i := range 3 {
				p.Planes[i] = make([]uint16, 99)
			}
			if err := d.Decode16(&p); err != nil {
				t.Fatal(err)
			}
			for band := range 3 {
				for i, got := range p.Planes[band] {
					if want := uint16(m.Value(i%11, i/11, band)) >> m.Lossless.PointBits << m.Lossless.PointBits; got != want {
						t.Fatalf("%d bits, predictor %d: sample %d of band %d is %d, want %d", bits, predictor, i, band, got, want)
					}
				}
			}
		}
	}
}

func TestVectorQuantization(t *testing.T) {
	m := Image{Compression: "C4", Width: 37, Height: 10, BlockWidth: 16, BlockHeight: 8}.withDefaults(1)
	data := m.data()
	h, err := vq.ParseHeader(data)
	if err != nil {
		t.Fatal(err)
	}
	codebook, err := h.Codebook(data)
	if err != nil {
		t.Fatal(err)
	}
	if want := h.Bytes + 6*h.BlockBytes(); len(data) != want {
		t.Fatalf("%d bytes, want %d", len(data), want)
	}
	for i, b := range m.blocks() {
		got := make([]byte, 16*8)
		if _, err := codebook.Decode(got, data[h.Bytes+i*h.BlockBytes():], 16, 8); err != nil {
			t.Fatal(err)
		}
		for at, want := range m.sampled(b)[0] {
			if got[at] != byte(want) {
				t.Fatalf("pixel %d of block %d is %d, want %d", at, i, got[at], want)
			}
		}
	}
}

func TestReducedJPEG(t *testing.T) {
	m := Image{Compression: "I1", Width: 37, Height: 21, Value: func(x, y, _ int) float64 { return float64(4*x + 2*y) }}.withDefaults(1)
	var d jpeg.Decoder
	if frame, err := d.Open(m.data(), nil); err != nil || frame.Width != 19 || frame.Height != 11 {
		t.Errorf("a picture of %dx%d, %v", frame.Width, frame.Height, err)
	}
}
