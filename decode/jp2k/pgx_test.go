package jp2k

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

// pgx is an image of one component, in the format of the standard's reference images.
type pgx struct {
	width, height, bits int
	signed              bool
	samples             []int64
}

// maxPGXSide limits the size in a header.
const maxPGXSide = 1 << 13

// readPGX reads a line such as "PG ML +8 640 480" and the samples after it. ML or LM is the byte
// order of samples: most or least significant byte first.
func readPGX(data []byte) (*pgx, error) {
	line, samples, found := bytes.Cut(data, []byte("\n"))
	if !found || !bytes.HasPrefix(line, []byte("PG")) {
		return nil, fmt.Errorf("no picture begins with %.20q", data)
	}
	// The space between the sign and the bits is optional.
	header := strings.NewReplacer("+", " + ", "-", " - ").Replace(string(line[2:]))
	fields := strings.Fields(header)
	p := &pgx{}
	sign := slices.IndexFunc(fields, func(f string) bool { return f == "+" || f == "-" })
	if sign >= 0 {
		p.signed = fields[sign] == "-"
		fields = slices.Delete(fields, sign, sign+1)
	}
	var order string
	if n, err := fmt.Sscan(strings.Join(fields, " "), &order, &p.bits, &p.width, &p.height); n != 4 || len(fields) != 4 {
		return nil, fmt.Errorf("the header is %q: %v", line, err)
	}
	if p.bits < 1 || p.bits > 32 || p.width < 1 || p.height < 1 || max(p.width, p.height) > maxPGXSide {
		return nil, fmt.Errorf("%d x %d samples of %d bits", p.width, p.height, p.bits)
	}
	orders := map[string]binary.ByteOrder{"ML": binary.BigEndian, "LM": binary.LittleEndian}
	if orders[order] == nil {
		return nil, fmt.Errorf("the order of bytes is %q", order)
	}
	return p, p.fill(samples, orders[order])
}

// fill reads the samples.
func (p *pgx) fill(data []byte, order binary.ByteOrder) error {
	size := map[bool]int{true: 1, false: 2}[p.bits <= 8]
	if p.bits > 16 {
		size = 4
	}
	count := p.width * p.height
	if len(data) != count*size {
		return fmt.Errorf("%d bytes of samples, not %d", len(data), count*size)
	}
	p.samples = make([]int64, count)
	for i := range p.samples {
		p.samples[i] = p.sample(data[i*size:][:size], order)
	}
	return nil
}

func (p *pgx) sample(data []byte, order binary.ByteOrder) int64 {
	switch {
	case len(data) == 1 && p.signed:
		return int64(int8(data[0]))
	case len(data) == 1:
		return int64(data[0])
	case len(data) == 2 && p.signed:
		return int64(int16(order.Uint16(data)))
	case len(data) == 2:
		return int64(order.Uint16(data))
	case p.signed:
		return int64(int32(order.Uint32(data)))
	}
	return int64(order.Uint32(data))
}

// readPackedPGX reads a compressed PGX file.
func readPackedPGX(t testing.TB, path string) *pgx {
	t.Helper()
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	p, err := readPGX(data)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return p
}

func TestReadPGX(t *testing.T) {
	tests := map[string]struct {
		data string
		want pgx
	}{
		"unsigned":             {"PG ML 8 3 2\n\x00\x01\x7f\x80\xfe\xff", pgx{3, 2, 8, false, []int64{0, 1, 127, 128, 254, 255}}},
		"two spaces":           {"PG ML  8 2 1\n\x00\xff", pgx{2, 1, 8, false, []int64{0, 255}}},
		"plus":                 {"PG ML +8 1 2\n\x03\xff", pgx{1, 2, 8, false, []int64{3, 255}}},
		"minus":                {"PG ML -4 2 1\n\x07\xf8", pgx{2, 1, 4, true, []int64{7, -8}}},
		"minus, space":         {"PG ML - 4 2 1\n\x07\xf8", pgx{2, 1, 4, true, []int64{7, -8}}},
		"most significant":     {"PG ML 12 1 2\n\x0f\xff\x00\x01", pgx{1, 2, 12, false, []int64{4095, 1}}},
		"least significant":    {"PG LM 12 1 2\n\xff\x0f\x01\x00", pgx{1, 2, 12, false, []int64{4095, 1}}},
		"signed and wide":      {"PG LM -12 1 1\n\x00\xf8", pgx{1, 1, 12, true, []int64{-2048}}},
		"wider":                {"PG ML 20 1 1\n\x00\x0f\xff\xff", pgx{1, 1, 20, false, []int64{1<<20 - 1}}},
		"signed and wider":     {"PG ML -32 1 1\n\xff\xff\xff\xfe", pgx{1, 1, 32, true, []int64{-2}}},
		"a line end in pixels": {"PG ML 8 2 1\n\n\n", pgx{2, 1, 8, false, []int64{10, 10}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := readPGX([]byte(test.data))
			if err != nil {
				t.Fatal(err)
			}
			if got.width != test.want.width || got.height != test.want.height || got.bits != test.want.bits || got.signed != test.want.signed {
				t.Errorf("got %+v, want %+v", *got, test.want)
			}
			if !slices.Equal(got.samples, test.want.samples) {
				t.Errorf("got the samples %v, want %v", got.samples, test.want.samples)
			}
		})
	}
	for _, data := range []string{"", "P5 8 1 1\n\x00", "PG ML 8 1 1", "PG ML 8 1\n\x00", "PG MM 8 1 1\n\x00", "PG ML 8 2 1\n\x00", "PG ML 8 1 1\n\x00\x00", "PG ML 0 1 1\n\x00", "PG ML 33 1 1\n\x00\x00\x00\x00", "PG ML 8 0 1\n", "PG ML 8 99999 99999\n"} {
		if p, err := readPGX([]byte(data)); err == nil {
			t.Errorf("%q was read as %+v", data, *p)
		}
	}
}
