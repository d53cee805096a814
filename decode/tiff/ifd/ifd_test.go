package ifd

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"tileserver/source"
)

// rawEntry is an entry of a classic little-endian directory, with its value or the value's offset.
type rawEntry struct {
	tag, kind    uint16
	count, value uint32
}

// rawDirectory returns a directory.
func rawDirectory(next uint32, entries ...rawEntry) []byte {
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, uint16(len(entries)))
	for _, e := range entries {
		binary.Write(&b, binary.LittleEndian, e)
	}
	binary.Write(&b, binary.LittleEndian, next)
	return b.Bytes()
}

// rawFile returns a header and parts of a file, the first of them at offset 8.
func rawFile(parts ...[]byte) []byte {
	return append([]byte("II*\x00\x08\x00\x00\x00"), bytes.Join(parts, nil)...)
}

// The tags of the tests, and how they are read.
const (
	plainTag Tag = 1000
	rawTag   Tag = 1001
	laterTag Tag = 1002
	longTag  Tag = 1003
)

func testRule(t Tag) Rule {
	switch t {
	case plainTag:
		return Rule{Reading: AtOnce, Name: "Plain", MaxValues: 4}
	case rawTag:
		return Rule{Reading: AtOnce, MaxValues: 1 << 20, Raw: true}
	case laterTag:
		return Rule{Reading: Later, MaxValues: 1}
	case longTag, SubIFDs:
		return Rule{Reading: AtOnce, MaxValues: 1 << 20}
	}
	return Rule{}
}

// parseWith parses a file with a configuration that change may change. It returns what was skipped.
func parseWith(t testing.TB, file []byte, change func(*Config)) (*File, []error, error) {
	var skipped []error
	config := Config{
		Limits: Limits{Directories: 10, Entries: 100, ValueBytes: 1 << 16, HeaderBytes: 1 << 20},
		Memory: NewBudget(1 << 20), Rule: testRule, Links: []Tag{SubIFDs}, Depth: 1, Skip: func(err error) { skipped = append(skipped, err) },
	}
	if change != nil {
		change(&config)
	}
	f, err := Parse(t.Context(), source.NewBytes("test", file), config)
	return f, skipped, err
}

func mustParse(t *testing.T, file []byte) *File {
	t.Helper()
	f, skipped, err := parseWith(t, file, nil)
	if err != nil || len(skipped) > 0 {
		t.Fatal(err, skipped)
	}
	return f
}

func TestValuesOfAllTypes(t *testing.T) {
	bits := []byte{1, 0, 0, 0x80, 2, 0, 0, 0x40}
	for _, test := range []struct {
		kind   Type
		count  uint32
		uints  []uint64
		floats []float64
	}{
		{Byte, 8, []uint64{1, 0, 0, 128, 2, 0, 0, 64}, []float64{1, 0, 0, 128, 2, 0, 0, 64}},
		{ASCII, 8, nil, []float64{1, 0, 0, 128, 2, 0, 0, 64}},
		{Short, 4, []uint64{1, 0x8000, 2, 0x4000}, []float64{1, 0x8000, 2, 0x4000}},
		{Long, 2, []uint64{0x80000001, 0x40000002}, []float64{0x80000001, 0x40000002}},
		{Rational, 1, nil, []float64{0x80000001 / float64(0x40000002)}},
		{SByte, 8, nil, []float64{1, 0, 0, -128, 2, 0, 0, 64}},
		{Undefined, 8, nil, []float64{1, 0, 0, 128, 2, 0, 0, 64}},
		{SShort, 4, nil, []float64{1, -0x8000, 2, 0x4000}},
		{SLong, 2, nil, []float64{-0x7fffffff, 0x40000002}},
		{SRational, 1, nil, []float64{-0x7fffffff / float64(0x40000002)}},
		{Float, 2, nil, []float64{-1.401298464324817e-45, 2.000000476837158}},
		{Double, 1, nil, []float64{2.0000047683715825}},
		{IFD, 2, []uint64{0x80000001, 0x40000002}, []float64{0x80000001, 0x40000002}},
		{Long8, 1, []uint64{0x4000000280000001}, []float64{0x4000000280000001}},
		{SLong8, 1, nil, []float64{0x4000000280000001}},
		{IFD8, 1, []uint64{0x4000000280000001}, []float64{0x4000000280000001}},
	} {
		directory := rawDirectory(0, rawEntry{uint16(longTag), uint16(test.kind), test.count, 8 + 2 + 12 + 4})
		e := mustParse(t, rawFile(directory, bits)).Directories[0].Entry(longTag)
		if e == nil || e.Bytes() != 8 || !slices.Equal(e.Uints(), test.uints) || !slices.Equal(e.Floats(), test.floats) {
			t.Errorf("type %d: got %v, %v and %v, want %v and %v", test.kind, e, e.Uints(), e.Floats(), test.uints, test.floats)
		}
	}
}

func TestRulesBoundWhatIsRead(t *testing.T) {
	const behind = 8 + 2 + 5*12 + 4
	directory := rawDirectory(0,
		rawEntry{uint16(plainTag), uint16(Short), 6, behind},
		rawEntry{uint16(plainTag), uint16(Short), 1, 77}, // a second time
		rawEntry{uint16(rawTag), uint16(ASCII), 6, behind},
		rawEntry{uint16(laterTag), uint16(Short), 6, behind},
		rawEntry{2000, uint16(Short), 1 << 31, 1 << 31}, // ignored
	)
	f := mustParse(t, rawFile(directory, []byte("a\x00b\x00c\x00d\x00e\x00f\x00")))
	d := f.Directories[0]
	if got := d.Entry(plainTag).Uints(); !slices.Equal(got, []uint64{'a', 'b', 'c', 'd'}) {
		t.Errorf("a rule of 4 values read %v", got)
	}
	if got := d.Entry(rawTag).Text(); got != "a" {
		t.Errorf("text up to the first zero: got %q", got)
	}
	if e := d.Entry(laterTag); e.Count != 6 || e.Offset != behind || len(e.Value) != 12 {
		t.Errorf("values that are read later, but near: got %d at %d, %d bytes", e.Count, e.Offset, len(e.Value))
	}
	if d.Entry(2000) != nil || d.Uint(2000, 5) != 5 || d.Uint(plainTag, 5) != 'a' || d.Uint(rawTag, 5) != 5 {
		t.Error("a tag without a rule was read, or numbers are missing")
	}
	var none *Entry
	if none.Uints() != nil || none.Floats() != nil || none.Text() != "" {
		t.Error("no entry has values")
	}
}

func TestLongValuesAreReadLater(t *testing.T) {
	const behind, bytes = 8 + 2 + 12 + 4, 2 * (maxEarlyBytes/2 + 1)
	file := rawFile(rawDirectory(0, rawEntry{uint16(laterTag), uint16(Short), bytes / 2, behind}), make([]byte, bytes))
	if e := mustParse(t, file).Directories[0].Entry(laterTag); e.Value != nil || e.Bytes() != bytes {
		t.Errorf("%d of %d bytes were read", len(e.Value), e.Bytes())
	}
}

func TestChainAndSubDirectories(t *testing.T) {
	const size = 2 + 12 + 4
	number := func(n uint32) rawEntry { return rawEntry{uint16(plainTag), uint16(Short), 1, n} }
	below := func(at uint32) rawEntry { return rawEntry{uint16(SubIFDs), uint16(Long), 1, at} }
	f := mustParse(t, rawFile(
		rawDirectory(8+2*size, number(1)), // the first
		rawDirectory(8+3*size, number(3)), // below the second; its link is ignored
		rawDirectory(0, below(8+size)),    // the second
	))
	var got []uint64
	for _, d := range f.Directories {
		got = append(got, d.Uint(plainTag, 0))
	}
	if !slices.Equal(got, []uint64{1, 0, 3}) || f.Directories[2].Parent != 1 || f.Directories[1].Parent != -1 {
		t.Errorf("got the directories %v", got)
	}
}

func TestDamagedDirectoriesAreSkippedOrKept(t *testing.T) {
	const size = 2 + 12 + 4
	file := rawFile(
		rawDirectory(8+size, rawEntry{uint16(plainTag), uint16(Short), 1, 1}),
		rawDirectory(0, rawEntry{uint16(plainTag), uint16(Short), 1, 2}, rawEntry{uint16(longTag), uint16(Long), 8, 1 << 20}),
	)
	f, skipped, err := parseWith(t, file, nil)
	if err != nil || len(f.Directories) != 1 || len(skipped) != 1 || !strings.Contains(skipped[0].Error(), "directory 2 at 26: tag 1003: 32 bytes at 1048576") {
		t.Errorf("skipped: %v, %v", skipped, err)
	}
	f, skipped, err = parseWith(t, file, func(c *Config) { c.Keep = func(d *Directory) bool { return d.Uint(plainTag, 0) == 2 } })
	if err != nil || len(f.Directories) != 2 || len(skipped) != 1 || f.Directories[1].Damage == nil || f.Directories[1].Entry(longTag) != nil {
		t.Errorf("kept: %v, %v", skipped, err)
	}
}

// TestSkippedDirectoriesCount parses directories whose links all lead back to the first one. They are
// skipped, but none may be free.
func TestSkippedDirectoriesCount(t *testing.T) {
	const size, links = 2 + 12 + 4, 7
	var file []byte
	for _, next := range []uint32{8 + size, 8 + 2*size, 0} {
		file = append(file, rawDirectory(next, rawEntry{uint16(SubIFDs), uint16(Long), links, 8 + 3*size})...)
	}
	for range links {
		file = binary.LittleEndian.AppendUint32(file, 8)
	}
	for limit, want := range map[int]error{3 + 3*links: nil, 2 + 3*links: ErrLimit, 5: ErrLimit} {
		f, skipped, err := parseWith(t, rawFile(file), func(c *Config) { c.Limits.Directories = limit })
		if !errors.Is(err, want) || want == nil && (len(f.Directories) != 3 || len(skipped) != 3*links) || len(skipped) >= limit {
			t.Errorf("a limit of %d: got %v after %d were skipped, want %v", limit, err, len(skipped), want)
		}
	}
}

func TestLimitsAreErrors(t *testing.T) {
	many := rawFile(rawDirectory(0, rawEntry{uint16(longTag), uint16(Short), 500, 8 + 2 + 12 + 4}), make([]byte, 1000))
	far := slices.Concat(rawFile(rawDirectory(0, rawEntry{uint16(longTag), uint16(Short), 500, 150_000})), make([]byte, 200_000))
	ring := rawFile(rawDirectory(8, rawEntry{uint16(plainTag), uint16(Short), 1, 1}))
	for _, test := range []struct {
		name   string
		file   []byte
		change func(*Config)
		want   error
	}{
		{"all of it", many, nil, nil},
		{"long values", many, func(c *Config) { c.Limits.ValueBytes = 999 }, ErrLimit},
		{"numbers of eight bytes", many, func(c *Config) { c.Memory = NewBudget(4000) }, ErrLimit},
		{"memory", many, func(c *Config) { c.Memory = NewBudget(10) }, ErrLimit},
		{"entries", many, func(c *Config) { c.Limits.Entries = 0 }, ErrLimit},
		{"all of a far one", far, nil, nil},
		{"bytes read", far, func(c *Config) { c.Limits.HeaderBytes = 128 << 10 }, ErrLimit},
		{"directories", many, func(c *Config) { c.Limits.Directories = 0 }, ErrLimit},
		{"a cycle is damage", ring, nil, nil},
		{"no mark", []byte("GIF89a.........."), nil, ErrCorrupt},
		{"cut off", many[:20], nil, io.ErrUnexpectedEOF},
	} {
		if _, _, err := parseWith(t, test.file, test.change); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
	}
}
