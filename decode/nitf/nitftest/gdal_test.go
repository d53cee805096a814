package nitftest

import (
	"encoding/binary"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// bands returns a number of bands without representation.
func bands(n int) []Band { return make([]Band, n) }

// gdalCase is an image that GDAL reads, and how it shows the samples.
type gdalCase struct {
	name  string
	image Image
	kind  string // of samples, as GDAL names it
	// tolerance is the largest difference of a sample.
	tolerance float64
}

func gdalCases() []gdalCase {
	signed := func(x, y, band int) float64 { return float64(40*x - 50*y - 11*band) }
	smooth := func(x, y, band int) float64 { return float64(60 + x/2 + y/3 + 20*band) }
	rgb := []Band{{Representation: "R"}, {Representation: "G"}, {Representation: "B"}}
	blocked := Image{Width: 37, Height: 21, BlockWidth: 16, BlockHeight: 8}
	with := func(m Image, change func(m *Image)) Image {
		change(&m)
		return m
	}
	list := []gdalCase{
		{"zero value", Image{}, "Byte", 0},
		{"12 of 16 bits", Image{Bits: 16, ActualBits: 12}, "UInt16", 0},
		{"signed 16 bits", Image{Bits: 16, ValueType: "SI", Value: signed}, "Int16", 0},
		{"signed 32 bits", Image{Bits: 32, ValueType: "SI", Value: signed}, "Int32", 0},
		{"32 bits", Image{Bits: 32}, "UInt32", 0},
		{"float", Image{Bits: 32, ValueType: "R", Value: signed}, "Float32", 0},
		{"double", Image{Bits: 64, ValueType: "R", Value: signed}, "Float64", 0},
		{"bits", Image{Bits: 1, ValueType: "B", Width: 13, Value: func(x, y, _ int) float64 { return float64((x + y*y) % 2) }}, "Byte", 0},
		{"JPEG", with(blocked, func(m *Image) { m.Compression, m.Value = "C3", smooth }), "Byte", 1},
		{"JPEG of colors", with(blocked, func(m *Image) {
			m.Compression, m.Mode, m.Representation, m.Bands, m.Value = "C3", "P", "YCbCr601", rgb, smooth
		}), "Byte", 3},
		{"JPEG of half chroma", with(blocked, func(m *Image) {
			m.Compression, m.Mode, m.Representation, m.Bands, m.Value, m.HalfChroma = "C3", "P", "YCbCr601", rgb, smooth, true
		}), "Byte", 4},
		{"JPEG with a scan for each band", with(blocked, func(m *Image) {
			m.Compression, m.Representation, m.Bands = "C3", "RGB", rgb
		}), "Byte", 1},
		{"JPEG without conversion", with(blocked, func(m *Image) {
			m.Compression, m.Mode, m.Representation, m.Bands = "C3", "P", "RGB", rgb
		}), "Byte", 1},
		{"ten bands", with(blocked, func(m *Image) { m.Bands, m.Representation = bands(10), "MULTI" }), "Byte", 0},
		{"corners", Image{Coordinates: "D", Corners: [4][2]float64{{51.5, -0.5}, {51.5, 0.5}, {50.5, 0.5}, {50.5, -0.5}}}, "Byte", 0},
		{"extensions", Image{
			UserTREs: []TRE{{"AAAAAA", []byte("one")}}, TREs: []TRE{{"BBBBBB", []byte("two")}},
			UserOverflow: []TRE{{"CCCCCC", []byte("three")}}, Overflow: []TRE{{"DDDDDD", []byte("four")}},
		}, "Byte", 0},
	}
	for _, mode := range []string{"B", "P", "R", "S"} {
		for _, compression := range []string{"NC", "NM"} {
			if compression == "NM" && (mode == "B" || mode == "R") {
				continue // GDAL 3.6 expects an offset for each band
			}
			m := with(blocked, func(m *Image) { m.Mode, m.Compression, m.Representation, m.Bands = mode, compression, "RGB", rgb })
			list = append(list, gdalCase{"mode " + mode + " " + compression, m, "Byte", 0})
		}
	}
	return list
}

// GDAL reads the samples that the test wrote. It cannot check all: it finds codebooks only in files
// of map products, and swaps the bytes of samples of 12 bits that are packed.
func TestGDAL(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED with -short: GDAL takes seconds")
	}
	program, err := exec.LookPath("gdal_translate")
	switch {
	case err == nil:
	case os.Getenv("CI") == "true":
		t.Fatal(err)
	default:
		t.Skip("SKIPPED, NOTHING WAS READ: ", err)
	}
	// Samples do not depend on the version, so a few cases show what differs.
	inAllVersions := []string{"zero value", "12 of 16 bits", "JPEG", "extensions", "mode P NM"}
	for _, version := range []Version{NITF21, NITF20, NSIF10} {
		for _, c := range gdalCases() {
			if version != NITF21 && !slices.Contains(inAllVersions, c.name) {
				continue
			}
			t.Run(version.profile()+" "+c.name, func(t *testing.T) {
				t.Parallel()
				c.check(t, program, File{Version: version, Images: []Image{c.image}}.Bytes())
			})
		}
	}
}

func (c *gdalCase) check(t *testing.T, program string, file []byte) {
	folder := t.TempDir()
	from, to := filepath.Join(folder, "test.ntf"), filepath.Join(folder, "raw")
	if err := os.WriteFile(from, file, 0o600); err != nil {
		t.Fatal(err)
	}
	message, err := exec.Command(program, "-q", "-of", "ENVI", "-co", "INTERLEAVE=BSQ", from, to).CombinedOutput()
	if err != nil || strings.Contains(string(message), "Warning") {
		t.Fatalf("%v: %s", err, message)
	}
	raw, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	m := c.image.withDefaults(1)
	read := map[string]func() float64{
		"Byte":    func() float64 { return float64(raw[0]) },
		"UInt16":  func() float64 { return float64(binary.LittleEndian.Uint16(raw)) },
		"Int16":   func() float64 { return float64(int16(binary.LittleEndian.Uint16(raw))) },
		"UInt32":  func() float64 { return float64(binary.LittleEndian.Uint32(raw)) },
		"Int32":   func() float64 { return float64(int32(binary.LittleEndian.Uint32(raw))) },
		"Float32": func() float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(raw))) },
		"Float64": func() float64 { return math.Float64frombits(binary.LittleEndian.Uint64(raw)) },
	}[c.kind]
	size := map[string]int{"Byte": 1, "UInt16": 2, "Int16": 2, "UInt32": 4, "Int32": 4, "Float32": 4, "Float64": 8}[c.kind]
	if want := m.Width * m.Height * len(m.Bands) * size; len(raw) != want {
		t.Fatalf("%d bytes of samples, want %d", len(raw), want)
	}
	for band := range m.Bands {
		for y := range m.Height {
			for x := range m.Width {
				if got, want := read(), m.Value(x, y, band); math.Abs(got-want) > c.tolerance {
					t.Fatalf("%d,%d of band %d is %g, want %g", x, y, band, got, want)
				}
				raw = raw[size:]
			}
		}
	}
}
