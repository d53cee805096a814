package container

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"tileserver/source"
	"tileserver/source/sourcetest"
)

// named is a source at an address.
type named struct {
	*sourcetest.Fake
	name string
}

func (n named) Name() string { return n.name }

// openWith opens a file whose format reads some ranges, one after the other, and returns the calls of its source
// until it was open and after another such read.
func openWith(t *testing.T, name string, content []byte, ranges ...source.Range) (opening, later [][]source.Range) {
	t.Helper()
	src := named{sourcetest.NewFake(content), name}
	var opened source.Source
	readAll := func(s source.Source) error {
		for _, r := range ranges {
			parts, err := s.ReadRanges(t.Context(), []source.Range{r})
			if err != nil {
				return err
			}
			if !bytes.Equal(parts[0], content[r.Offset:r.End()]) || int64(cap(parts[0])) != r.Length {
				t.Errorf("of %v other bytes were read, or room behind them", r)
			}
		}
		return nil
	}
	formats := Registry{{
		Matches: func([]byte) bool { return true },
		Open: func(_ context.Context, s source.Source, _ Options) (File, error) {
			opened = s
			return nil, readAll(s)
		},
	}}
	if _, err := formats.Open(t.Context(), src, Options{}); err != nil {
		t.Fatal(err)
	}
	calls := src.Calls()
	opening = calls[1:] // the first one recognizes the format
	if err := readAll(opened); err != nil {
		t.Fatal(err)
	}
	return opening, src.Calls()[len(calls):]
}

func content(bytes int) []byte {
	all := make([]byte, bytes)
	for i := range all {
		all[i] = byte(i * i >> 5)
	}
	return all
}

func TestHeadersAtTheEndOfAFarFileTakeOneCall(t *testing.T) {
	const size = 5 << 20
	headers := []source.Range{{Offset: size - 9000, Length: 300}, {Offset: size - 60_000, Length: 40}, {Offset: size - 8, Length: 8}}
	opening, later := openWith(t, "https://example.org/a.tif", content(size), headers...)
	if len(opening) != 1 || opening[0][0].End() != size {
		t.Errorf("opening it took the reads %v, want one up to the end", opening)
	}
	if len(later) != len(headers) || later[0][0] != headers[0] {
		t.Errorf("once it was open, the reads were %v, want %v", later, headers)
	}
}

func TestFilesOnDiskAreReadAsTheirFormatAsks(t *testing.T) {
	headers := []source.Range{{Offset: 4 << 20, Length: 300}, {Offset: 4<<20 - 40, Length: 40}}
	opening, _ := openWith(t, "/maps/a.tif", content(5<<20), headers...)
	if len(opening) != 2 || opening[0][0] != headers[0] || opening[1][0] != headers[1] {
		t.Errorf("opening it took the reads %v, want %v", opening, headers)
	}
}

// A file may have thousands of headers, each far from the others: no more is read of it than of one on disk.
func TestWhatLiesAroundHeadersIsReadAFewTimes(t *testing.T) {
	var headers []source.Range
	for i := range int64(20) {
		headers = append(headers, source.Range{Offset: (i + 1) << 20, Length: 10})
	}
	opening, _ := openWith(t, "s3://bucket/a.tif", content(22<<20), headers...)
	widened := 0
	for _, call := range opening {
		if call[0].Length > 10 {
			widened++
		}
	}
	if len(opening) != len(headers) || widened != maxSpans {
		t.Errorf("%d of %d reads took what lies around, want %d of %d", widened, len(opening), maxSpans, len(headers))
	}
}

// What came with the object is not read again, and long ranges gain nothing.
func TestTheHeadAndLongRangesAreReadAsTheyAre(t *testing.T) {
	ranges := []source.Range{{Offset: 100, Length: 50}, {Offset: 1 << 20, Length: 1 << 20}}
	opening, _ := openWith(t, "https://example.org/a.tif", content(5<<20), ranges...)
	if len(opening) != 2 || opening[0][0] != ranges[0] || opening[1][0] != ranges[1] {
		t.Errorf("the reads were %v, want %v", opening, ranges)
	}
}

// What a format asks for ahead, in one call, is kept until the file is open.
func TestRangesThatAreReadTogetherAreKept(t *testing.T) {
	data := content(5 << 20)
	src := named{sourcetest.NewFake(data), "https://example.org/a.ntf"}
	o := newOpening(src)
	ahead := []source.Range{{Offset: 1 << 20, Length: 1000}, {Offset: 4 << 20, Length: 500}}
	if _, err := o.ReadRanges(t.Context(), ahead); err != nil {
		t.Fatal(err)
	}
	within := source.Range{Offset: 4<<20 + 100, Length: 40}
	for _, test := range []struct {
		when  string
		calls int
	}{{"while it is opened", 1}, {"once it is open", 2}} {
		parts, err := o.ReadRanges(t.Context(), []source.Range{within})
		if err != nil || !bytes.Equal(parts[0], data[within.Offset:within.End()]) {
			t.Errorf("%s: other bytes, or %v", test.when, err)
		}
		if calls := len(src.Calls()); calls != test.calls {
			t.Errorf("%s: %d calls, want %d", test.when, calls, test.calls)
		}
		o.end()
	}
}

// Ranges outside of the file fail as its source says.
func TestRangesOutsideOfAFarFileFail(t *testing.T) {
	o := newOpening(named{sourcetest.NewFake(content(1 << 20)), "https://example.org/a.tif"})
	for _, ranges := range [][]source.Range{
		{{Offset: 1<<20 - 5, Length: 10}}, {{Offset: -1, Length: 4}}, {{Offset: 10, Length: -4}}, {{Length: 4}, {Offset: 2 << 20, Length: 1}},
	} {
		if _, err := o.ReadRanges(t.Context(), ranges); !errors.Is(err, source.ErrOutOfBounds) {
			t.Errorf("%v: got %v, want %v", ranges, err, source.ErrOutOfBounds)
		}
	}
}
