package segments

import (
	"errors"
	"testing"

	"tileserver/decode/nitf/nitftest"
	"tileserver/source"
)

// foresighted is a file in memory that is told what will be read.
type foresighted struct {
	memory
	told []source.Range
	err  error
}

func (f *foresighted) Ahead(ranges []source.Range) error {
	f.told = append(f.told, ranges...)
	return f.err
}

func TestReadersAreToldWhereSubheadersAre(t *testing.T) {
	m := nitftest.Image{Width: 300, Height: 200}
	data := nitftest.File{Images: []nitftest.Image{m, m, m}, Texts: []nitftest.Segment{{Subheader: []byte("TE"), Data: []byte("text")}}}.Bytes()
	r := &foresighted{memory: data}
	f, err := Read(r, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.told) != 4 {
		t.Fatalf("told of %v, want the subheaders of three images and a text", r.told)
	}
	for i, image := range f.Images {
		where, size := image.Subheader, int64(len(data))
		if told := r.told[i]; told.Offset != where.Offset || told.End() < where.End() || told.End() > size {
			t.Errorf("told that subheader %d is at %v, but it is at %v", i+1, told, where)
		}
	}
	if source.CheckBounds(r.told, int64(len(data))) != nil {
		t.Errorf("told of %v in %d bytes", r.told, len(data))
	}
}

func TestReadingAheadMayFail(t *testing.T) {
	failed := errors.New("no answer")
	if _, err := Read(&foresighted{memory: nitftest.File{}.Bytes(), err: failed}, DefaultLimits()); !errors.Is(err, failed) {
		t.Errorf("got %v, want %v", err, failed)
	}
}

// Lengths that lead out of the file tell nothing.
func TestWrongLengthsAreNotReadAhead(t *testing.T) {
	fields := nitftest.Fields{"LI001": "9999999999"}
	data := nitftest.File{Images: []nitftest.Image{{}, {}}, Fields: fields}.Bytes()
	r := &foresighted{memory: data}
	if _, err := Read(r, DefaultLimits()); err != nil {
		t.Fatal(err)
	}
	if len(r.told) != 1 {
		t.Errorf("told of %v, want the first subheader only", r.told)
	}
}
