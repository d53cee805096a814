package archive

import (
	"errors"
	"math"
	"testing"
)

func TestBoundsFollowFromTheTilesOfTheLargestZoom(t *testing.T) {
	var covered Coverage
	for _, position := range []Position{{1, 1, 1}, {3, 5, 2}, {3, 4, 3}, {2, 0, 0}} {
		covered.Add(position)
	}
	got := covered.Complete(Description{Name: "a"})
	// The latitudes of rows 2 and 4 of zoom 3 are those of rows 1 and 2 of zoom 2.
	want := Bounds{West: 0, South: 0, East: 90, North: 66.51326044311186}
	for _, pair := range [][2]float64{
		{got.Bounds.West, want.West}, {got.Bounds.South, want.South}, {got.Bounds.East, want.East}, {got.Bounds.North, want.North},
		{got.Center.Longitude, 45}, {got.Center.Latitude, want.North / 2},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-9 {
			t.Errorf("got %+v, want bounds %v", got, want)
		}
	}
	if got.MinZoom != 1 || got.MaxZoom != 3 || got.Center.Zoom != 2 || covered.Tiles != 4 || got.Name != "a" {
		t.Errorf("got %+v of %d tiles", got, covered.Tiles)
	}
}

func TestARunCoversWhatItsTilesCover(t *testing.T) {
	for first := FirstNumber(4); first < FirstNumber(5); first++ {
		var run, tiles Coverage
		for count := uint64(1); first+count <= FirstNumber(5); count++ {
			position, err := PositionOf(first + count - 1)
			if err != nil {
				t.Fatal(err)
			}
			tiles.Add(position)
			run = Coverage{}
			if err := run.AddRun(first, count); err != nil || run != tiles {
				t.Fatalf("%d tiles from number %d: got %+v, %v, want %+v", count, first, run, err, tiles)
			}
		}
	}
	var all Coverage
	if err := all.AddRun(FirstNumber(MaxZoom), 1<<(2*MaxZoom)); err != nil || all.area != (area{0, 0, 1<<MaxZoom - 1, 1<<MaxZoom - 1}) {
		t.Errorf("got %+v, %v", all, err)
	}
	if err := all.AddRun(MaxNumber, 2); !errors.Is(err, ErrNoPosition) {
		t.Errorf("a run beyond the last tile: %v", err)
	}
}

func TestWhatIsKnownStays(t *testing.T) {
	var covered Coverage
	covered.Add(Position{5, 3, 4})
	known := Description{Bounds: Bounds{1, 2, 3, 4}, Center: Center{2, 3, 9}}
	got := covered.Complete(known)
	if got.Bounds != known.Bounds || got.Center != (Center{2, 3, 5}) || got.MinZoom != 5 || got.MaxZoom != 5 {
		t.Errorf("got %+v", got)
	}
}

func TestNoTilesCoverTheWholeMap(t *testing.T) {
	got := new(Coverage).Complete(Description{})
	if want := (Bounds{-180, -MaxLatitude, 180, MaxLatitude}); got.Bounds != want || got.Center != (Center{}) {
		t.Errorf("got %+v", got)
	}
	var all Coverage
	all.Add(Position{})
	if got := all.bounds(); math.Abs(got.North-MaxLatitude) > 1e-9 || got.West != -180 || got.East != 180 {
		t.Errorf("the tile 0/0/0 has the bounds %v", got)
	}
}

func TestBoundsOutsideOfTheGlobe(t *testing.T) {
	for _, bounds := range []Bounds{{}, {-180, -90, 180, 90}, {1, 2, 3, 4}} {
		if err := bounds.Check(); err != nil {
			t.Errorf("%v: %v", bounds, err)
		}
	}
	for _, bounds := range []Bounds{{-181, 0, 1, 1}, {0, 0, 181, 1}, {0, -91, 1, 1}, {0, 0, 1, 91}, {3, 0, 1, 1}, {0, 1, 1, 1}, {math.NaN(), 0, 1, 1}} {
		if err := bounds.Check(); !errors.Is(err, ErrBounds) {
			t.Errorf("%v: %v", bounds, err)
		}
		if err := (Description{Bounds: bounds}).Check(); !errors.Is(err, ErrBounds) {
			t.Errorf("a description with %v: %v", bounds, err)
		}
	}
	for _, center := range []Center{{181, 0, 0}, {0, -91, 0}, {math.NaN(), 0, 0}, {0, math.Inf(1), 0}} {
		if err := (Description{Center: center}).Check(); !errors.Is(err, ErrBounds) {
			t.Errorf("%v: %v", center, err)
		}
	}
}

func TestPicturesAreRecognizedByTheirFirstBytes(t *testing.T) {
	tests := map[string]Format{
		"\x89PNG\r\n\x1a\n\x00":    PNG,
		"\xff\xd8\xff\xe0":         JPEG,
		"RIFF\x01\x02\x03\x04WEBP": WebP,
		"\x00\x00\x00\x1cftypavif": AVIF,
		"RIFF\x01\x02\x03\x04WAVE": Mixed,
		"RIFF":                     Mixed,
		"":                         Mixed,
		"\x1f\x8b":                 Mixed,
	}
	for content, want := range tests {
		if got := FormatOf([]byte(content)); got != want {
			t.Errorf("%q has format %d, want %d", content, got, want)
		}
	}
}

func TestFormatsHaveTheNamesOfTheirExtensions(t *testing.T) {
	for format := Mixed; format <= Vector; format++ {
		if got := FormatNamed(format.Extension()); got != format {
			t.Errorf("the extension of format %d is that of %d", format, got)
		}
		if (format.MediaType() == "") != (format == Mixed) {
			t.Errorf("format %d has the media type %q", format, format.MediaType())
		}
	}
	if FormatNamed("jpeg") != JPEG || FormatNamed("tif") != Mixed {
		t.Error("names are not recognized")
	}
}

func TestContentsHaveASize(t *testing.T) {
	for size, want := range map[int]error{0: ErrTileSize, 1: nil, MaxTileBytes: nil, MaxTileBytes + 1: ErrTileSize} {
		if err := (Tile{Content: make([]byte, size)}).CheckContent(); !errors.Is(err, want) {
			t.Errorf("%d bytes: %v, want %v", size, err, want)
		}
	}
}
