package layer_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/display/picture"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"
)

// unplaced returns a catalog with one layer "l" of a source without a place on the earth.
func unplaced(t *testing.T, source raster.Provider) *layer.Catalog {
	t.Helper()
	c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: admission.New(admission.Config{Cheap: 4, Dear: 4, Queue: 100}), Encoder: new(picture.Encoder)})
	err := c.Add(context.Background(), layer.Config{ID: "l", Open: func(context.Context) (*layer.Dataset, error) {
		return &layer.Dataset{Provider: source, Close: func() error { return nil }}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func preview(t *testing.T, c *layer.Catalog) image.Image {
	t.Helper()
	r := layer.Request{Format: layer.PNG, Area: areas.Preview{MaxSize: 1024}}
	picture, _, err := image.Decode(bytes.NewReader(mustPicture(t, c, r).Bytes))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func describeLayer(t *testing.T, c *layer.Catalog) layer.Description {
	t.Helper()
	l, err := c.Layer("l")
	if err != nil {
		t.Fatal(err)
	}
	return l.Describe()
}

// inks returns an image with one column per ink: cyan, magenta, yellow, black and opacity.
func inks(columns [][5]float64) *rastertest.Synthetic {
	info := rastertest.Flat(raster.Uint8, len(columns), 3, 5, 2, 2)
	info.Colors.Space = raster.CMYK
	info.Bands[4].Color = raster.Alpha
	return &rastertest.Synthetic{Name: "inks@1", Has: info, Sample: func(_, band, x, _ int) (float64, bool) { return columns[x][band], true }}
}

func TestInksAreShownAsColors(t *testing.T) {
	c := unplaced(t, inks([][5]float64{{0, 0, 0, 0, 255}, {0, 0, 255, 0, 255}, {255, 0, 0, 51, 128}, {0, 0, 0, 255, 0}, {10, 20, 30, 0, 255}}))
	picture := preview(t, c)
	for x, want := range []color.NRGBA{{255, 255, 255, 255}, {255, 255, 0, 255}, {0, 204, 204, 128}, {0, 0, 0, 0}, {245, 235, 225, 255}} {
		got := color.NRGBAModel.Convert(picture.At(x, 1)).(color.NRGBA)
		if got != want {
			t.Errorf("column %d is %v, want %v", x, got, want)
		}
	}
	d := describeLayer(t, c)
	var names []string
	for _, band := range d.Info.Bands {
		names = append(names, band.Color.String())
	}
	if got := strings.Join(names, " "); got != "red green blue alpha" {
		t.Errorf("the bands are %s", got)
	}
}

// Statistics and points refer to the converted samples.
func TestStatisticsAndPointsAreOfColors(t *testing.T) {
	c := unplaced(t, inks([][5]float64{{0, 0, 0, 0, 255}, {255, 0, 0, 0, 255}}))
	stats, err := c.Statistics(context.Background(), layerOf(t, c, "l"), style.Style{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{127.5, 255, 255, 255} {
		if got := stats.Bands[i].Mean; got != want {
			t.Errorf("the mean of band %d is %v, want %v", i, got, want)
		}
	}
	point, err := c.Point(context.Background(), layerOf(t, c, "l"), style.Style{}, nil, geo.Point{X: 1.5, Y: 2.5})
	var values []float64
	for _, band := range point.Bands {
		values = append(values, band.Value)
	}
	if err != nil || fmt.Sprint(values) != "[0 255 255 255]" {
		t.Errorf("a point is %v, %v", values, err)
	}
}

func TestLayerReadsInksOnce(t *testing.T) {
	source := inks([][5]float64{{0, 0, 0, 0, 255}, {255, 0, 0, 0, 255}, {255, 0, 0, 0, 255}})
	c := unplaced(t, source)
	for range 3 {
		r := layer.Request{Format: layer.PNG, Area: areas.Preview{MaxSize: 100}}
		mustPicture(t, c, r)
		r.Format = layer.JPEG
		mustPicture(t, c, r)
	}
	if got := source.BlocksMade(); got != 4 {
		t.Errorf("%d blocks were read, want each of 4 once", got)
	}
}

func TestUnsupportedColorsAreRejected(t *testing.T) {
	source := inks([][5]float64{{}})
	source.Has.Type = raster.Float32
	c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(1 << 20), Gate: admission.New(admission.Config{Queue: 1}), Encoder: new(picture.Encoder)})
	err := c.Add(context.Background(), layer.Config{ID: "l", Open: func(context.Context) (*layer.Dataset, error) {
		return &layer.Dataset{Provider: source, Close: func() error { return nil }}, nil
	}})
	if err == nil || !strings.Contains(err.Error(), "cmyk of float32 samples") {
		t.Errorf("got the error %v", err)
	}
}

// upright returns an image with one light pixel at its first row and column.
func upright(orientation uint8) *rastertest.Synthetic {
	info := rastertest.Flat(raster.Uint8, 5, 3, 1, 2, 2)
	info.Orientation = orientation
	return &rastertest.Synthetic{Name: "upright@1", Has: info, Sample: func(_, _, x, y int) (float64, bool) {
		if x == 0 && y == 0 {
			return 255, true
		}
		return 0, true
	}}
}

func TestImagesAreShownUpright(t *testing.T) {
	tests := []struct {
		orientation   uint8
		width, height int
		light         image.Point
	}{
		{1, 5, 3, image.Pt(0, 0)}, {2, 5, 3, image.Pt(4, 0)}, {3, 5, 3, image.Pt(4, 2)}, {4, 5, 3, image.Pt(0, 2)},
		{5, 3, 5, image.Pt(0, 0)}, {6, 3, 5, image.Pt(2, 0)}, {7, 3, 5, image.Pt(2, 4)}, {8, 3, 5, image.Pt(0, 4)},
	}
	for _, test := range tests {
		c := unplaced(t, upright(test.orientation))
		picture := preview(t, c)
		if picture.Bounds() != image.Rect(0, 0, test.width, test.height) {
			t.Errorf("orientation %d: the picture is %v", test.orientation, picture.Bounds())
		}
		if r, _, _, _ := picture.At(test.light.X, test.light.Y).RGBA(); r != 0xffff {
			t.Errorf("orientation %d: the light pixel is not at %v", test.orientation, test.light)
		}
		want := test.orientation
		if want == 1 {
			want = 0
		}
		if d := describeLayer(t, c); d.Width != test.width || d.Height != test.height || d.Orientation != want {
			t.Errorf("orientation %d: described as %d x %d, turned from %d", test.orientation, d.Width, d.Height, d.Orientation)
		}
	}
}

// The georeference of an image refers to the pixels as stored.
func TestGeoreferencedImagesAreNotTurned(t *testing.T) {
	if d := describeLayer(t, newCatalog(t, upright(6), nil)); d.Width != 5 || d.Height != 3 || d.Orientation != 0 {
		t.Errorf("described as %d x %d, turned from %d", d.Width, d.Height, d.Orientation)
	}
}

// radar is a row of complex numbers in one block.
type radar []complex64

func (r radar) Key() string { return "radar@1" }

func (r radar) Info() *raster.Info {
	info := rastertest.Flat(raster.Complex64, len(r), 1, 1, len(r), 1)
	return &info
}

func (r radar) Blocks(context.Context, int, []raster.BlockID, []int) ([]raster.Tile, error) {
	b := raster.NewBuffer(raster.Complex64, len(r), 1, 1)
	plane := b.Plane(0)[:0]
	for _, v := range r {
		plane = binary.NativeEndian.AppendUint32(plane, math.Float32bits(real(v)))
		plane = binary.NativeEndian.AppendUint32(plane, math.Float32bits(imag(v)))
	}
	return []raster.Tile{b.Freeze()}, nil
}

func TestComplexNumbersAreShownByTheirMagnitude(t *testing.T) {
	c := unplaced(t, radar{0, 3 + 4i, -5, complex(float32(math.NaN()), 1)})
	stats, err := c.Statistics(context.Background(), layerOf(t, c, "l"), bandsOf(0))
	if err != nil {
		t.Fatal(err)
	}
	if s := stats.Bands[0]; s.Count != 3 || s.Min != 0 || s.Max != 5 {
		t.Errorf("%d numbers from %v to %v, want 3 from 0 to 5", s.Count, s.Min, s.Max)
	}
	picture := preview(t, c)
	dark, light, same := picture.At(0, 0), picture.At(1, 0), picture.At(2, 0)
	if dark == light || light != same {
		t.Errorf("0 is %v, 3+4i is %v and -5 is %v", dark, light, same)
	}
	if _, _, _, alpha := picture.At(3, 0).RGBA(); alpha != 0 {
		t.Error("NaN is visible")
	}
	if d := describeLayer(t, c); d.Info.Type != raster.Float32 {
		t.Errorf("described as %v", d.Info.Type)
	}
}
