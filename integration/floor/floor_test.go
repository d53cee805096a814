//go:build floor && linux

package floor

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image/jpeg"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/image/tiff/lzw"

	"tileserver/decode/pool"
	"tileserver/decode/tiff"
	"tileserver/integration/realfiles"
	"tileserver/raster"
	"tileserver/source"
)

// side is the width and height of the block in pixels, the largest that all pictures have.
const side = 352

// picture selects a block of real samples, pixel by pixel, and describes their storage.
type picture struct {
	name          string
	file          string // path below the folder of real files
	col, row      int    // position of the block
	samples, bits int
	format        int // as numbered by TIFF: 1 unsigned, 3 float
}

var (
	photo     = picture{"rgb8", "tiff/gdal/sasha.tif", 100, 30, 3, 8, 1}
	satellite = picture{"uint16", "tiff/openlayers/sentinel-b08.tif", 20, 20, 1, 16, 1}
	heights   = picture{"float32", "tiff/titiler/dem.tif", 20, 40, 1, 32, 3}
	scan      = picture{"rgb8", "tiff/gdal/sasha.tif", 100, 30, 1, 1, 1}
)

// Compressions and predictors that the C program writes.
const (
	ccittG4  = 4
	lzwTIFF  = 5
	jpegTIFF = 7
	deflate  = 8
	lercTIFF = 34887
	lzma     = 34925
	zstdTIFF = 50000
	webp     = 50001

	plain, horizontal, floating = 1, 2, 3
	halfChroma                  = 0 // for JPEG: 4:2:0, otherwise RGB
)

var cases = []struct {
	name        string
	picture     picture
	compression int
	predictor   int
	// Name of the C library in the program, if it can decode without libtiff.
	direct string
	// A Go library, without predictor and unpacking.
	library func(io.Reader) (io.Reader, error)
	stream  func(tables, stored []byte) io.Reader // input of library
}{
	{"deflate/rgb8", photo, deflate, plain, "deflate", openZlib, asStored},
	{"deflate/rgb8/predictor2", photo, deflate, horizontal, "deflate", openZlib, asStored},
	{"deflate/uint16/predictor2", satellite, deflate, horizontal, "deflate", openZlib, asStored},
	{"deflate/float32/predictor3", heights, deflate, floating, "deflate", openZlib, asStored},
	{"lzw/rgb8", photo, lzwTIFF, plain, "", openLZW, asStored},
	{"lzw/rgb8/predictor2", photo, lzwTIFF, horizontal, "", openLZW, asStored},
	{"zstd/rgb8/predictor2", photo, zstdTIFF, horizontal, "", openZSTD, asStored},
	{"zstd/float32/predictor3", heights, zstdTIFF, floating, "", openZSTD, asStored},
	{"jpeg/rgb8/420", photo, jpegTIFF, halfChroma, "jpeg", openJPEG, withTables},
	{"jpeg/rgb8/444", photo, jpegTIFF, plain, "jpeg", openJPEG, withTables},
	{"lerc/rgb8", photo, lercTIFF, plain, "", nil, nil},
	{"lerc/float32", heights, lercTIFF, plain, "", nil, nil},
	{"lzma/rgb8", photo, lzma, plain, "", nil, nil},
	{"webp/rgb8", photo, webp, plain, "", nil, nil},
	{"ccitt/g4", scan, ccittG4, plain, "", nil, nil},
}

// BenchmarkBlock decodes one block with all available decoders in turn. It reports the best result
// of each in megabytes of samples per second of CPU time.
func BenchmarkBlock(b *testing.B) {
	folder := realfiles.Folder(b, "MANIFEST.tsv")
	program := build(b)
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			file := filepath.Join(b.TempDir(), "block.tif")
			raw := c.picture.raw(b, folder)
			write(b, program, file, raw, c.compression, c.predictor, c.picture)
			best := map[string]float64{"ours": math.Inf(1), "libtiff": math.Inf(1)}
			ours := reader(b, file)
			tables, stored := storedBlock(b, program, file)
			for b.Loop() {
				best["ours"] = min(best["ours"], perBlock(b, ours))
				best["libtiff"] = min(best["libtiff"], inC(b, program, "tiff", file))
				if c.direct != "" {
					best["alone"] = least(best["alone"], inC(b, program, c.direct, file))
				}
				if c.library != nil {
					best["go"] = least(best["go"], perBlock(b, func() error {
						r, err := c.library(c.stream(tables, stored))
						if err == nil {
							_, err = io.Copy(io.Discard, r)
						}
						return err
					}))
				}
			}
			b.ReportMetric(0, "ns/op")
			for who, ns := range best {
				b.ReportMetric(float64(len(raw))/ns*1e3, who+"-MB/s")
			}
			b.ReportMetric(best["libtiff"]/best["ours"], "ours/libtiff")
		})
	}
}

// least returns the smaller number, where 0 means none.
func least(a, b float64) float64 {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// turn is the minimum duration of each measurement.
const turn = 100 * time.Millisecond

// perBlock returns the CPU time of a call in nanoseconds.
func perBlock(b *testing.B, decode func() error) float64 {
	b.Helper()
	from, times := cpuTime(b), 0
	for {
		if err := decode(); err != nil {
			b.Fatal(err)
		}
		times++
		if taken := cpuTime(b) - from; taken >= turn {
			return float64(taken) / float64(times)
		}
	}
}

func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func inC(b *testing.B, program, library, file string) float64 {
	b.Helper()
	out, err := exec.Command(program, library, file, strconv.FormatFloat(turn.Seconds(), 'f', -1, 64)).Output()
	if err != nil {
		b.Fatalf("%s: %v", library, err)
	}
	ns, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	if err != nil {
		b.Fatal(err)
	}
	return ns
}

// build compiles the C program.
func build(b *testing.B) string {
	b.Helper()
	program := filepath.Join(b.TempDir(), "floor")
	out, err := exec.Command("cc", "-O2", "-o", program, filepath.Join("c", "floor.c"), "-ltiff", "-ljpeg", "-ldeflate").CombinedOutput()
	if err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return program
}

// write writes a TIFF with one block.
func write(b *testing.B, program, file string, raw []byte, compression, predictor int, p picture) {
	b.Helper()
	args := []string{"write", file}
	for _, n := range []int{compression, predictor, side, p.samples, p.bits, p.format} {
		args = append(args, strconv.Itoa(n))
	}
	c := exec.Command(program, args...)
	c.Stdin = bytes.NewReader(raw)
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
}

// storedBlock returns the shared JPEG tables and the stored block of a file.
func storedBlock(b *testing.B, program, file string) (tables, stored []byte) {
	b.Helper()
	out, err := exec.Command(program, "stored", file).Output()
	if err != nil || len(out) < 4 {
		b.Fatalf("%v: %q", err, out)
	}
	n := binary.NativeEndian.Uint32(out)
	return out[4:][:n], out[4+n:]
}

// reader returns a function that decodes the only block of a file, as the tile server does.
func reader(b *testing.B, file string) func() error {
	b.Helper()
	image := open(b, file)
	ids := []raster.BlockID{{}}
	return func() error {
		_, err := image.Blocks(b.Context(), 0, ids, nil)
		return err
	}
}

func open(b *testing.B, file string) *tiff.Image {
	b.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	pool := pool.New(pool.Config{Workers: 1})
	f, err := tiff.Open(b.Context(), source.NewBytes(file, data), tiff.Config{Pool: pool})
	if err != nil {
		b.Fatal(err)
	}
	return f.Images()[0]
}

// raw returns the samples of p from a real file, converted to bits if p has 1-bit samples.
func (p picture) raw(b *testing.B, folder string) []byte {
	b.Helper()
	image := open(b, filepath.Join(folder, p.file))
	level := image.Info().Levels[0]
	rect := raster.Rect{X0: p.col, Y0: p.row, X1: p.col + side, Y1: p.row + side}
	values := make([]float64, side*side*p.samples)
	for _, id := range level.Covering(rect) {
		tiles, err := image.Blocks(b.Context(), 0, []raster.BlockID{id}, nil)
		if err != nil {
			b.Fatal(err)
		}
		at := level.Block(id)
		shared := at.Intersect(rect)
		for y := shared.Y0; y < shared.Y1; y++ {
			for x := shared.X0; x < shared.X1; x++ {
				for s := range p.samples {
					v, _ := tiles[0].At(s, x-at.X0, y-at.Y0)
					values[((y-p.row)*side+x-p.col)*p.samples+s] = v
				}
			}
		}
	}
	return p.pack(values)
}

func (p picture) pack(values []float64) []byte {
	raw := make([]byte, len(values)*p.bits/8)
	for i, v := range values {
		switch p.bits {
		case 1:
			if v > 128 {
				raw[i/8] |= 0x80 >> (i % 8)
			}
		case 8:
			raw[i] = uint8(v)
		case 16:
			raw[2*i], raw[2*i+1] = uint8(uint16(v)), uint8(uint16(v)>>8)
		case 32:
			bits := math.Float32bits(float32(v))
			for k := range 4 {
				raw[4*i+k] = uint8(bits >> (8 * k))
			}
		}
	}
	return raw
}

func openZlib(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }
func openLZW(r io.Reader) (io.Reader, error)  { return lzw.NewReader(r, lzw.MSB, 8), nil }
func openZSTD(r io.Reader) (io.Reader, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
}

// openJPEG decodes immediately; the reader that it returns is empty.
func openJPEG(r io.Reader) (io.Reader, error) {
	_, err := jpeg.Decode(r)
	return bytes.NewReader(nil), err
}

func asStored(_, stored []byte) io.Reader { return bytes.NewReader(stored) }

// withTables returns the stream with its missing tables inserted after the first marker. The tables
// end with a marker, which is dropped.
func withTables(tables, stored []byte) io.Reader {
	if len(tables) < 4 {
		return bytes.NewReader(stored)
	}
	return bytes.NewReader(append(append([]byte(nil), tables[:len(tables)-2]...), stored[2:]...))
}
