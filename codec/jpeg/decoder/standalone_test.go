package decoder

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"tileserver/codec/jpeg"
)

// apart splits a stream into a stream without tables and a stream of its tables.
func apart(t testing.TB, whole []byte) (rest, tables []byte) {
	t.Helper()
	rest, tables = slices.Clone(whole[:2]), slices.Clone(whole[:2])
	for at := whole[2:]; ; {
		m, _, after, err := nextSegment(at)
		if err != nil {
			t.Fatal(err)
		}
		switch segment := at[:len(at)-len(after)]; {
		case m == jpeg.MarkerScan:
			return append(rest, at...), append(tables, 0xFF, byte(jpeg.MarkerEnd))
		case m.IsTable():
			tables = append(tables, segment...)
		default:
			rest = append(rest, segment...)
		}
		at = after
	}
}

// insert returns the stream with a segment inserted after its start.
func insert(whole []byte, m jpeg.Marker, body ...byte) []byte {
	return slices.Concat(whole[:2], appendSegment(nil, m, body), whole[2:])
}

const markerExif, markerProfile jpeg.Marker = 0xE1, 0xE2

func TestStandalone(t *testing.T) {
	d := newDrawing(37, 21, 8, halfBoth, 4)
	whole := d.sequential(0, d.all())
	rest, tables := apart(t, whole)
	other := newDrawing(37, 21, 8, halfBoth, 5).sequential(0, d.all())
	_, otherTables := apart(t, other)
	want := Standalone{Width: 37, Height: 21, Components: 3}
	for _, test := range []struct {
		name           string
		stream, tables []byte
	}{
		{"its own tables", whole, nil},
		{"shared tables", rest, tables},
		{"its own tables before shared ones", whole, otherTables},
		{"a marker of another's colours", insert(whole, jpeg.MarkerAdobe, []byte("Adobe\x00\x64\x00\x00\x00\x00\x00")...), nil},
		{"other markers of programs", insert(insert(insert(whole, markerExif, 1), markerProfile, 2, 3), jpeg.MarkerJFIF), nil},
		{"more behind the end", append(slices.Clone(whole), 0, 0, 1, 2, 3), nil},
		{"fill bytes", slices.Concat(whole[:2], []byte{0xFF, 0xFF}, whole[2:]), nil},
	} {
		for _, rgb := range []bool{false, true} {
			want.Tables, want.RGB = test.tables, rgb
			file, err := want.File(test.stream)
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
				continue
			}
			if !slices.Equal(decoded(t, file, false), decoded(t, whole, false)) {
				t.Errorf("%s: the file shows something else", test.name)
			}
			checkColors(t, test.name, file, rgb)
		}
	}
}

func checkColors(t *testing.T, name string, file []byte, rgb bool) {
	t.Helper()
	frame, err := new(Decoder).Open(file, nil)
	want := 1
	if rgb {
		want = 0
	}
	if err != nil || frame.Transform != want {
		t.Errorf("%s: the color marker says %d, want %d (%v)", name, frame.Transform, want, err)
	}
	for _, m := range []jpeg.Marker{markerExif, markerProfile, jpeg.MarkerJFIF} {
		if bytes.Contains(file[:min(len(file), 40)], []byte{0xFF, byte(m)}) {
			t.Errorf("%s: marker %#x is still there", name, m)
		}
	}
}

// TestStandaloneTables checks which shared tables are copied to a file.
func TestStandaloneTables(t *testing.T) {
	d := newDrawing(16, 16, 8, onePlane, 4)
	whole := d.sequential(2, d.all())
	rest, tables := apart(t, whole)
	want := Standalone{Width: 16, Height: 16, Components: 1, Tables: tables}
	file, err := want.File(whole)
	if err != nil || !bytes.Equal(file, whole) {
		t.Errorf("a stream that lacks nothing becomes %d bytes of its %d (%v)", len(file), len(whole), err)
	}
	completed, err := want.File(rest)
	if err != nil || len(completed) != len(whole) {
		t.Errorf("a stream without tables becomes %d bytes, want %d (%v)", len(completed), len(whole), err)
	}
}

func TestStandaloneProgressive(t *testing.T) {
	d := newDrawing(37, 21, 8, full, 4)
	whole := d.progressive(3, d.fullScript())
	want := Standalone{Width: 37, Height: 21, Components: 3}
	file, err := want.File(whole)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(decoded(t, file, true), decoded(t, whole, true)) {
		t.Error("the file shows something else")
	}
}

func TestStandaloneRejects(t *testing.T) {
	d := newDrawing(37, 21, 8, halfBoth, 4)
	whole := d.sequential(0, d.all())
	rest, tables := apart(t, whole)
	of := func(width, height, components int) Standalone {
		return Standalone{Width: width, Height: height, Components: components}
	}
	good := of(37, 21, 3)
	withTables := func(tables []byte) Standalone {
		s := good
		s.Tables = tables
		return s
	}
	twelve := newDrawing(37, 21, 12, halfBoth, 4)
	inks := newDrawing(37, 21, 8, fourInks, 4)
	frame := bytes.Index(whole, []byte{0xFF, byte(jpeg.MarkerFrame)})
	const heightAt, bitsAt, factorsAt, quantizerAt = 5, 4, 11, 12
	changed := func(at int, v byte) []byte {
		s := slices.Clone(whole)
		s[frame+at] = v
		return s
	}
	between := changed(factorsAt, 0x32)
	between[frame+factorsAt+3] = 0x21
	for _, test := range []struct {
		name   string
		want   Standalone
		stream []byte
		err    error
	}{
		{"nothing", good, nil, ErrCorrupt},
		{"no start", good, whole[2:], ErrCorrupt},
		{"cut off in its head", good, whole[:frame+6], ErrCorrupt},
		{"cut off in its scan", good, whole[:len(whole)-20], ErrCorrupt},
		{"no end", good, whole[:len(whole)-2], ErrCorrupt},
		{"no tables", good, rest, ErrCorrupt},
		{"tables that are cut off", withTables(tables[:30]), rest, ErrCorrupt},
		{"a second frame", good, slices.Concat(whole[:frame], whole[frame:frame+19], whole[frame:]), ErrCorrupt},
		{"a second start", good, slices.Concat(whole[:2], whole), ErrCorrupt},
		{"wider", of(36, 21, 3), whole, ErrUnsupported},
		{"higher", of(37, 20, 3), whole, ErrUnsupported},
		{"more components", of(37, 21, 1), whole, ErrUnsupported},
		{"inks", of(37, 21, 3), inks.sequential(0, inks.all()), ErrUnsupported},
		{"12 bits", good, twelve.sequential(0, twelve.all()), ErrUnsupported},
		{"lossless", of(9, 5, 1), newLosslessDrawing(9, 5, 8, 1).encode(1, 0, 0, []int{0}), ErrUnsupported},
		{"arithmetic coding", good, changed(1, byte(jpeg.MarkerFrame)+9), ErrUnsupported},
		{"hierarchical", good, changed(1, byte(jpeg.MarkerFrame)+5), ErrUnsupported},
		{"the height behind the scan", good, changed(heightAt+1, 0), ErrUnsupported},
		{"odd bits", good, changed(bitsAt, 7), ErrUnsupported},
		{"no samples", good, changed(factorsAt, 0x02), ErrCorrupt},
		{"samples between pixels", good, between, ErrUnsupported},
		{"quantizers that are none", good, changed(quantizerAt, 4), ErrCorrupt},
		{"quantizers that are not there", good, changed(quantizerAt, 1), ErrCorrupt},
		{"components of one name", good, changed(factorsAt+2, 1), ErrCorrupt},
		{"a component that no scan is about", good, d.sequential(0, []int{0}, []int{1}), ErrCorrupt},
		{"an unknown marker", good, insert(whole, 0xF3, 1), ErrCorrupt},
	} {
		file, err := test.want.File(test.stream)
		if !errors.Is(err, test.err) || file != nil {
			t.Errorf("%s: got %d bytes and %v, want %v", test.name, len(file), err, test.err)
		}
	}
}

// TestStandaloneRejectsScans checks streams with unexpected segments behind the first scan.
// Decoders treat those in different ways.
func TestStandaloneRejectsScans(t *testing.T) {
	d := newDrawing(37, 21, 8, full, 4)
	script := d.fullScript()
	apart, restarted := d.sequential(0, []int{0}, []int{1}, []int{2}), d.sequential(2, d.all())
	before := func(stream []byte, at int, what ...byte) []byte {
		return slices.Insert(slices.Clone(stream), at, what...)
	}
	lastScan := bytes.LastIndex(apart, []byte{0xFF, byte(jpeg.MarkerScan)})
	end := len(restarted) - 2
	restart := bytes.Index(restarted, []byte{0xFF, byte(jpeg.MarkerRestart)})
	outOfTurn := slices.Clone(restarted)
	outOfTurn[restart+1]++
	unbroken := d.sequential(0, d.all())
	for _, test := range []struct {
		name   string
		stream []byte
		err    error
	}{
		{"scans of a component each", apart, nil},
		{"a comment between scans", before(apart, lastScan, appendSegment(nil, 0xFE, []byte{1})...), ErrUnsupported},
		{"colours between scans", before(apart, lastScan, appendSegment(nil, jpeg.MarkerAdobe, []byte("Adobe\x00\x64\x00\x00\x00\x00\x00"))...), ErrUnsupported},
		{"a way up between scans", before(apart, lastScan, appendSegment(nil, markerExif, []byte{1})...), ErrUnsupported},
		{"a component in two scans", d.sequential(0, []int{0}, []int{1}, []int{2}, []int{0}), ErrCorrupt},
		{"restarts", restarted, nil},
		{"a restart out of turn", outOfTurn, ErrCorrupt},
		{"a restart where there are none", before(unbroken, len(unbroken)-2, 0xFF, byte(jpeg.MarkerRestart)), ErrCorrupt},
		{"the height behind the scan", before(restarted, end, appendSegment(nil, jpeg.MarkerLines, []byte{0, 21})...), ErrCorrupt},
		{"progressive", d.progressive(0, script), nil},
		{"progressive with restarts", d.progressive(3, script), nil},
		{"no last refinement", d.progressive(0, script[:len(script)-1]), ErrUnsupported},
		{"no first coefficients", d.progressive(0, script[1:5]), ErrCorrupt},
		{"a refinement twice", d.progressive(0, append(slices.Clone(script), script[len(script)-1])), ErrCorrupt},
		{"refined before it is there", d.progressive(0, append(script[len(script)-1:], script...)), ErrCorrupt},
		{"other coefficients of two components", changedScan(d.progressive(0, script), 1, 5), ErrCorrupt},
		{"coefficients in reverse", changedScan(d.progressive(0, script), 5, 1), ErrCorrupt},
		{"coefficients that are none", changedScan(d.progressive(0, script), 0, 64), ErrCorrupt},
	} {
		want := Standalone{Width: 37, Height: 21, Components: 3}
		if file, err := want.File(test.stream); !errors.Is(err, test.err) || (file == nil) != (test.err != nil) {
			t.Errorf("%s: got %d bytes and %v, want %v", test.name, len(file), err, test.err)
		}
	}
}

// changedScan returns a stream whose first scan, of three components, has another coefficient
// range.
func changedScan(stream []byte, first, last byte) []byte {
	const firstAt = 2 + 2 + 1 + 2*3
	stream = slices.Clone(stream)
	at := bytes.Index(stream, []byte{0xFF, byte(jpeg.MarkerScan)})
	stream[at+firstAt], stream[at+firstAt+1] = first, last
	return stream
}

// TestOwnRestartIntervalTakesPrecedence checks that the stream's restart interval overrides that of the
// tables.
func TestOwnRestartIntervalTakesPrecedence(t *testing.T) {
	d := newDrawing(37, 21, 8, onePlane, 4)
	whole := d.sequential(2, d.all())
	shared := slices.Concat(whole[:2], appendSegment(nil, jpeg.MarkerInterval, []byte{0, 0}), []byte{0xFF, byte(jpeg.MarkerEnd)})
	want := Standalone{Width: 37, Height: 21, Components: 1, Tables: shared}
	if file, err := want.File(whole); err != nil || !bytes.Equal(file, whole) {
		t.Errorf("got %d bytes of %d and %v", len(file), len(whole), err)
	}
}

// FuzzStandalone converts arbitrary streams. A valid result must not change when it is converted
// again, and must decode to the same picture as the stream with its tables.
func FuzzStandalone(f *testing.F) {
	for _, factors := range [][][2]int{onePlane, halfBoth} {
		d := newDrawing(19, 13, 8, factors, 1)
		for _, whole := range [][]byte{d.sequential(0, d.all()), d.sequential(2, d.all()), d.progressive(3, d.fullScript())} {
			rest, tables := apart(f, whole)
			f.Add(whole, []byte(nil))
			f.Add(rest, tables)
		}
	}
	f.Fuzz(func(t *testing.T, stream, tables []byte) {
		want := Standalone{Width: 19, Height: 13, Components: 1, Tables: tables}
		file, err := want.File(stream)
		if errors.Is(err, ErrUnsupported) {
			want.Components = 3
			file, err = want.File(stream)
		}
		if err != nil {
			if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrUnsupported) {
				t.Fatal(err)
			}
			return
		}
		want.Tables = nil
		if again, err := want.File(file); err != nil || !bytes.Equal(again, file) {
			t.Fatalf("once more it is %d bytes, not %d (%v)", len(again), len(file), err)
		}
		compareShown(t, &want, stream, tables, file)
	})
}

// compareShown compares the decoded stream with the decoded file.
func compareShown(t *testing.T, want *Standalone, stream, tables, file []byte) {
	t.Helper()
	shared := new(Tables)
	if len(tables) > 0 {
		var err error
		if shared, err = ParseTables(tables); err != nil {
			return
		}
	}
	show := func(stream []byte, shared *Tables) ([]uint8, error) {
		var d Decoder
		if _, err := d.Open(stream, shared); err != nil {
			return nil, err
		}
		plane := make([]uint8, want.Width*want.Height)
		err := d.Decode8(&Picture[uint8]{Width: want.Width, Height: want.Height, Planes: [4][]uint8{plane}})
		return plane, err
	}
	before, err := show(stream, shared)
	if err != nil {
		return // damage that only decoding can detect
	}
	after, err := show(file, nil)
	if err != nil || !bytes.Equal(before, after) {
		t.Fatalf("the file shows something else (%v)", err)
	}
}
