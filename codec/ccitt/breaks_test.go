package ccitt

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

// shortRows encodes a page in Group 3. Of the rows in cut only the pixels before the column are
// coded. If every is not 0, only the first of so many rows is coded in one dimension.
func shortRows(b bitmap, every int, cut map[int]int) []byte {
	w := unendedRows(b, every, cut)
	for range 6 {
		w.add(endOfLineCode)
		if every > 0 {
			w.add("1")
		}
	}
	return w.out
}

// unendedRows is shortRows without the codes that end a page.
func unendedRows(b bitmap, every int, cut map[int]int) (w bitWriter) {
	for y, row := range b.rows {
		w.add(endOfLineCode)
		oneDimensional := every == 0 || y%every == 0
		if every > 0 {
			w.add(map[bool]string{true: "1", false: "0"}[oneDimensional])
		}
		at, isCut := cut[y]
		switch {
		case isCut:
			w.addRuns(row[:at])
		case oneDimensional:
			w.addRuns(row)
		default:
			w.addModes(row, b.rows[y-1])
		}
	}
	return w
}

// The rows before the place where no row begins any more are sound.
func TestRowsThatAreMissing(t *testing.T) {
	const width, rows, coded = 101, 12, 10
	page := newBitmap(width, rows, func(x, y int) bool { return (x+y)/10%2 == 1 })
	// A row of runs seems to begin behind the last one, a row of modes does not.
	for every, want := range map[int]int{0: coded + 1, 4: coded} {
		w := unendedRows(bitmap{width, page.rows[:coded]}, every, map[int]int{8: 47})
		var d Decoder
		p := Params{Scheme: Group3, Width: width, Rows: rows, TwoDimensional: every > 0, Resume: true}
		n, err := d.Decode(make([]byte, len(page.packed())), append(w.out, make([]byte, 9)...), p)
		if n != want || !errors.Is(err, ErrTruncated) {
			t.Errorf("a row in %d is coded alone: %d rows, %v, want %d", every, n, err, want)
		}
	}
}

func TestRowsThatAreCutShort(t *testing.T) {
	const width, rows = 101, 12
	page := newBitmap(width, rows, func(x, y int) bool { return (x+y)/10%2 == 1 })
	for _, test := range []struct {
		name   string
		every  int
		cut    map[int]int
		breaks []Break
	}{
		{"one row", 0, map[int]int{3: 37}, []Break{{3, 37}}},
		{"neighbors", 0, map[int]int{3: 47, 4: 26}, []Break{{3, 47}, {4, 26}}},
		{"the first row", 0, map[int]int{0: 50}, []Break{{0, 50}}},
		{"the last row", 0, map[int]int{11: 49}, []Break{{11, 49}}},
		{"rows that depend on it", 4, map[int]int{4: 46}, []Break{{4, 46}, {5, 0}, {6, 0}, {7, 0}}},
	} {
		var d Decoder
		dst := make([]byte, len(page.packed()))
		p := Params{Scheme: Group3, Width: width, Rows: rows, TwoDimensional: test.every > 0, Resume: true}
		n, err := d.Decode(dst, shortRows(page, test.every, test.cut), p)
		if n != rows || err != nil || !slices.Equal(d.Breaks(), test.breaks) {
			t.Errorf("%s: %d rows, %v, breaks %v, want %v", test.name, n, err, d.Breaks(), test.breaks)
			continue
		}
		want := bitmap{width: width}
		for y, row := range page.rows {
			row = slices.Clone(row)
			for _, b := range test.breaks {
				if b.Row == y {
					clear(row[b.Pixel:])
				}
			}
			want.rows = append(want.rows, row)
		}
		if !bytes.Equal(dst, want.packed()) {
			t.Errorf("%s: other pixels", test.name)
		}
		p.Resume = false
		if _, err := d.Decode(dst, shortRows(page, test.every, test.cut), p); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: without Resume: %v, want %v", test.name, err, ErrCorrupt)
		}
	}
}

// A page of which most rows are damaged is none.
func TestMostRowsAreDamaged(t *testing.T) {
	page := newBitmap(50, 9, func(x, y int) bool { return x > 20 })
	cut := make(map[int]int)
	for y := range 6 {
		cut[y+1] = 10
	}
	var d Decoder
	dst := make([]byte, len(page.packed()))
	if _, err := d.Decode(dst, shortRows(page, 0, cut), Params{Scheme: Group3, Width: 50, Rows: 9, Resume: true}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("got %v, want %v", err, ErrCorrupt)
	}
}

// Very many damaged rows are an error, even if they are few of the page.
func TestManyRowsAreDamaged(t *testing.T) {
	const rows = 3 * maxBreaks
	page := newBitmap(8, rows, func(x, y int) bool { return x > 4 })
	for _, every := range []int{0, 5000} {
		cut := make(map[int]int)
		for y := 1; len(cut) <= maxBreaks; y += 2 {
			cut[y] = 5
		}
		if every > 0 {
			cut = map[int]int{0: 5}
		}
		var d Decoder
		p := Params{Scheme: Group3, Width: 8, Rows: rows, TwoDimensional: every > 0, Resume: true}
		if _, err := d.Decode(make([]byte, rows), shortRows(page, every, cut), p); !errors.Is(err, ErrCorrupt) {
			t.Errorf("got %v and %d breaks, want %v", err, len(d.Breaks()), ErrCorrupt)
		}
	}
}
