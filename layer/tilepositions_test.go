package layer_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"math"
	"testing"

	"tileserver/geo"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"
)

// positions returns an image whose samples are their position: the column in the first band, the
// row in the second.
func positions(width, height int) *rastertest.Synthetic {
	return &rastertest.Synthetic{
		Name: "positions@1", Has: rastertest.Flat(raster.Float64, width, height, 2, 256, 256),
		Sample: func(_, band, x, y int) (float64, bool) {
			if band == 1 {
				return float64(y) + 0.5, true
			}
			return float64(x) + 0.5, true
		},
	}
}

// samples holds the samples of a tile.
type samples struct {
	width, height int
	values        []float64
}

// at returns the position that a pixel shows. ok is false where the tile has no data.
func (s *samples) at(column, row int) (position geo.Point, ok bool) {
	i, plane := row*s.width+column, s.width*s.height
	return geo.Point{X: s.values[i], Y: s.values[plane+i]}, s.values[2*plane+i] == 255
}

// tileSamples requests a tile as an NPY array, whose last plane is the mask.
func tileSamples(t *testing.T, c *layer.Catalog, area areas.Tile, width, height int) *samples {
	t.Helper()
	p := mustPicture(t, c, layer.Request{Area: area, Format: layer.NPY, Style: style.Style{Resampling: resample.Bilinear}})
	shape := fmt.Sprintf("'shape': (3, %d, %d)", height, width)
	if !bytes.Contains(p.Bytes[:128], []byte(shape)) {
		t.Fatalf("the array begins with %q, want %s", p.Bytes[:128], shape)
	}
	s := &samples{width, height, make([]float64, 3*width*height)}
	data := p.Bytes[len(p.Bytes)-8*len(s.values):]
	for i := range s.values {
		s.values[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
	}
	return s
}

// Each pixel of a tile shows its position to an eighth of a pixel, in every kind of tile matrix
// set.
func TestPixelsLieWhereTheSetDefines(t *testing.T) {
	uneven := unevenSet(t)
	for _, test := range []struct {
		name          string
		width, height int
		code          int
		place         geo.Affine
		sets          []string
	}{
		{"in Europe", 777, 501, 32633, northUp(500000, 5300000, 10), []string{"WebMercatorQuad", "WorldMercatorWGS84Quad", "UTM33WGS84Quad", "UTM32WGS84Quad", "EuropeanETRS89_LAEAQuad", "uneven", "native-l"}},
		{"in Europe, by degrees", 777, 501, 4258, northUp(15, 47.855, 0.0001), []string{"UTM33WGS84Quad", "EuropeanETRS89_LAEAQuad", "uneven", "WorldCRS84Quad"}},
		{"in the southern half of a zone", 777, 501, 32733, northUp(400000, 8300000, 10), []string{"UTM33WGS84Quad"}},
		{"turned", 777, 501, 32633, geo.Affine{A: 8, B: 6, C: 500000, D: 6, E: -8, F: 5297000}, []string{"UTM33WGS84Quad", "uneven"}},
		{"in Canada", 777, 501, 32614, northUp(500000, 5500000, 10), []string{"CanadianNAD83_LCC", "UTM14WGS84Quad"}},
		{"around the north pole", 777, 501, 3413, northUp(-381000, 263000, 1000), []string{"UPSArcticWGS84Quad"}},
		{"around the south pole", 777, 501, 3031, northUp(-381000, 263000, 1000), []string{"UPSAntarcticWGS84Quad"}},
		{"across the antimeridian", 777, 501, 32660, northUp(830000, 200000, 10), []string{"UTM60WGS84Quad", "UTM01WGS84Quad"}},
		{"across the antimeridian, by degrees", 777, 501, 4326, northUp(179.96, 20, 0.0001), []string{"UTM60WGS84Quad", "UTM01WGS84Quad"}},
		{"across the antimeridian, from the other side", 777, 501, 4326, northUp(-180.04, 20, 0.0001), []string{"UTM60WGS84Quad", "UTM01WGS84Quad"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newPlacedCatalog(t, positions(test.width, test.height), test.code, test.place, uneven)
			crs, err := geo.ByCode(test.code)
			if err != nil {
				t.Fatal(err)
			}
			inverse, _ := test.place.Invert()
			middle := test.place.Apply(geo.Point{X: float64(test.width) / 2, Y: float64(test.height) / 2})
			for _, id := range test.sets {
				set := setOf(t, c, id, uneven)
				to := geo.NewTransform(set.CRS, crs)
				exact := func(l geo.Lattice, x, y float64) geo.Point {
					place := to.Apply(l.At(x, y))
					if crs.IsGeographic() {
						place.X += 360 * math.Round((middle.X-place.X)/360)
					}
					return inverse.Apply(place)
				}
				count := 0
				for _, at := range tilesAt(set, to.Inverse().Apply(middle), test.place.A*crs.MetersPerUnit()) {
					for scale := 1; scale <= 2; scale++ {
						count += checkTile(t, c, set, at, scale, test.width, test.height, exact)
					}
				}
				if count < 500 {
					t.Errorf("%s: only %d pixels compared", id, count)
				}
			}
		})
	}
}

func setOf(t *testing.T, c *layer.Catalog, id string, uneven *geo.TileMatrixSet) *geo.TileMatrixSet {
	t.Helper()
	if set, ok := geo.TileMatrixSetByID(id); ok {
		return set
	}
	if id == uneven.ID {
		return uneven
	}
	return tileSet(t, c, id).Set
}

// tilesAt returns the tiles that contain a place, on levels with pixels from half to six times the
// size of the image's.
func tilesAt(set *geo.TileMatrixSet, place geo.Point, metersPerPixel float64) (found []geo.TileID) {
	for z := range set.Matrices {
		factor := set.Matrices[z].Resolution * set.CRS.MetersPerUnit() / metersPerPixel
		column, row, _, _, ok := set.Limits(z, geo.Bounds{MinX: place.X, MinY: place.Y, MaxX: place.X + 1e-9, MaxY: place.Y + 1e-9})
		if ok && factor > 0.5 && factor < 6 {
			found = append(found, geo.TileID{Z: z, X: column, Y: row})
		}
	}
	return found
}

// checkTile compares the position that each pixel shows with the exact one. It skips the edge of
// the image, where pixels beyond it count. It returns the number of pixels compared.
func checkTile(t *testing.T, c *layer.Catalog, set *geo.TileMatrixSet, id geo.TileID, scale, width, height int, exact func(l geo.Lattice, x, y float64) geo.Point) (count int) {
	t.Helper()
	m := set.Matrices[id.Z]
	tileWidth, tileHeight := m.TileWidth*scale, m.TileHeight*scale
	got := tileSamples(t, c, areas.Tile{TileSet: set.ID, Tile: id, Scale: scale}, tileWidth, tileHeight)
	lattice := set.Lattice(id.Z, scale)
	const margin = 20
	worst := 0.0
	const stride = 7 // does not divide the side of a tile
	for row := 0; row < tileHeight; row += stride {
		for column := 0; column < tileWidth; column += stride {
			x, y := float64(id.X*tileWidth+column)+0.5, float64(id.Y*tileHeight+row)+0.5
			want := exact(lattice, x, y)
			inside := want.X > margin && want.Y > margin && want.X < float64(width-margin) && want.Y < float64(height-margin)
			position, ok := got.at(column, row)
			if inside != ok && (inside || want.X < -margin || want.Y < -margin || want.X > float64(width+margin) || want.Y > float64(height+margin)) {
				t.Fatalf("%s %v @%dx: pixel %d, %d has data: %v; its position in the image is %v", set.ID, id, scale, column, row, ok, want)
			}
			if !inside {
				continue
			}
			count++
			next := exact(lattice, x+1, y)
			pixel := math.Hypot(next.X-want.X, next.Y-want.Y)
			worst = max(worst, math.Hypot(position.X-want.X, position.Y-want.Y)/pixel)
		}
	}
	if worst > 1.0/8 {
		t.Errorf("%s %v @%dx: a pixel is %.3f pixels off", set.ID, id, scale, worst)
	}
	return count
}

// The tiles of the finest level of a layer's own set are the file's pixels, bit for bit, for any
// resampling. Beyond the image they have no data.
func TestOwnSetsShowTheFilesPixels(t *testing.T) {
	const width, height = 777, 501
	for _, test := range []struct {
		name  string
		code  int
		place geo.Affine
	}{
		{"whole metres", 32633, northUp(500000, 5300000, 10)},
		{"thirds", 32633, northUp(500000+1.0/3, 5300000+2.0/3, 1.0/3)},
		{"by degrees", 4326, northUp(14.123456789, 47.987654321, 1.0/3600)},
		{"beyond the antimeridian", 4326, northUp(179.9, 47.987654321, 1.0/3600)},
		{"nearly squares", 4326, geo.Affine{A: 0.000277777777777778, C: 5, E: -0.00027777777777777, F: 50}},
		{"northing first", 3035, northUp(4321000.5, 3210000.25, 0.07)},
		{"in feet", 2263, northUp(980000, 200000, 0.5)},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newPlacedCatalog(t, positions(width, height), test.code, test.place)
			native := tileSet(t, c, "native-l")
			z := native.MaxZoom
			if z != 2 || native.Set.Matrices[z].Resolution != test.place.A {
				t.Fatalf("the finest of %d levels has pixels of %v", z+1, native.Set.Matrices[z].Resolution)
			}
			for _, at := range []geo.TileID{{Z: z}, {Z: z, X: 1, Y: 1}, {Z: z, X: 3, Y: 1}} {
				got := tileSamples(t, c, areas.Tile{TileSet: "native-l", Tile: at}, 256, 256)
				for row := range 256 {
					for column := range 256 {
						x, y := 256*at.X+column, 256*at.Y+row
						position, ok := got.at(column, row)
						if want := x < width && y < height; ok != want {
							t.Fatalf("pixel %d, %d is there: %v", x, y, ok)
						}
						if ok && (position != geo.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5}) {
							t.Fatalf("pixel %d, %d shows %v", x, y, position)
						}
					}
				}
			}
		})
	}
}

// For pixels that are not square, the native set has squares with the shorter side.
func TestNativeSetOfPixelsThatAreNotSquare(t *testing.T) {
	const width, height = 301, 333
	for _, test := range []struct {
		name          string
		code          int
		place         geo.Affine
		resolution    float64
		columns, rows int // of the finest level
	}{
		{"high", 32633, geo.Affine{A: 10, C: 500000, E: -25, F: 5300000}, 10, 2, 4},
		{"wide", 32633, geo.Affine{A: 20, C: 500000, E: -10, F: 5300000}, 10, 3, 2},
		{"wide, by degrees", 4326, geo.Affine{A: 1.0 / 1200, C: 12, E: -1.0 / 3600, F: 61}, 1.0 / 3600, 4, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newPlacedCatalog(t, positions(width, height), test.code, test.place)
			native := tileSet(t, c, "native-l")
			z := native.MaxZoom
			m := native.Set.Matrices[z]
			if m.Resolution != test.resolution || m.Columns != test.columns || m.Rows != test.rows {
				t.Fatalf("the finest level has %d by %d tiles, with pixels of %v", m.Columns, m.Rows, m.Resolution)
			}
			wide, high := test.place.A/m.Resolution, -test.place.E/m.Resolution
			count := 0
			for _, at := range []geo.TileID{{Z: z}, {Z: z, X: m.Columns - 1, Y: m.Rows - 1}} {
				got := tileSamples(t, c, areas.Tile{TileSet: "native-l", Tile: at}, 256, 256)
				for row := range 256 {
					for column := range 256 {
						x, y := (float64(256*at.X+column)+0.5)/wide, (float64(256*at.Y+row)+0.5)/high
						position, ok := got.at(column, row)
						if want := x < width && y < height; ok != want {
							t.Fatalf("data at %v, %v: %v", x, y, ok)
						}
						isInside := x > 0.5 && y > 0.5 && x < width-0.5 && y < height-0.5
						if ok && isInside && (math.Abs(position.X-x) > 1e-2 || math.Abs(position.Y-y) > 1e-2) {
							t.Fatalf("%v, %v shows %v", x, y, position)
						}
						if ok {
							count++
						}
					}
				}
			}
			if count < 300 {
				t.Errorf("only %d pixels compared", count)
			}
		})
	}
}

// The image's own set and the native set show the same picture.
func TestNativeSetEqualsImageSet(t *testing.T) {
	c := newPlacedCatalog(t, gradient(), 32633, northUp(500000, 5300000, 10))
	own, native := tileSet(t, c, "image"), tileSet(t, c, "native-l")
	if own.MaxZoom != native.MaxZoom {
		t.Fatalf("%d and %d levels", own.MaxZoom, native.MaxZoom)
	}
	for z := range own.Set.Matrices {
		_, _, column, row, _ := own.Limits(z)
		if _, _, column1, row1, ok := native.Limits(z); !ok || column != column1 || row != row1 {
			t.Errorf("level %d ends at %d, %d and %d, %d", z, column, row, column1, row1)
		}
		var pictures [2][]byte
		for i, id := range []string{"image", "native-l"} {
			at := geo.TileID{Z: z, X: column / 2, Y: row / 2}
			pictures[i] = mustPicture(t, c, layer.Request{Format: layer.PNG, Area: areas.Tile{TileSet: id, Tile: at}}).Bytes
		}
		if !bytes.Equal(pictures[0], pictures[1]) {
			t.Errorf("level %d differs", z)
		}
	}
}

// A tile has the size that its set defines, times the scale, even if it is blank.
func TestTilesHaveTheSizeOfTheSet(t *testing.T) {
	c := newPlacedCatalog(t, gradient(), 32633, northUp(500000, 5300000, 10), unevenSet(t))
	for _, test := range []struct {
		tile          geo.TileID
		scale         int
		width, height int
		from          layer.Origin
	}{
		{geo.TileID{Z: 0, X: 0, Y: 0}, 1, 300, 211, layer.Miss},
		{geo.TileID{Z: 1, X: 0, Y: 0}, 1, 200, 333, layer.Miss},
		{geo.TileID{Z: 1, X: 0, Y: 0}, 2, 400, 666, layer.Miss},
		{geo.TileID{Z: 1, X: 6, Y: 3}, 1, 200, 333, layer.Empty},
		{geo.TileID{Z: 2, X: 6, Y: 30}, 2, 1024, 200, layer.Empty},
	} {
		p := mustPicture(t, c, layer.Request{Format: layer.PNG, Area: areas.Tile{TileSet: "uneven", Tile: test.tile, Scale: test.scale}})
		config, _, err := image.DecodeConfig(bytes.NewReader(p.Bytes))
		if err != nil || config.Width != test.width || config.Height != test.height || p.From != test.from {
			t.Errorf("%v @%dx has %d × %d pixels, %v, %v", test.tile, test.scale, config.Width, config.Height, p.From, err)
		}
	}
}
