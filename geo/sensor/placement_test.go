package sensor_test

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"tileserver/geo"
	"tileserver/geo/sensor"
)

// readModels returns the models of the table by name.
func readModels(t testing.TB) map[string]sensor.RPC {
	text, err := os.ReadFile("testdata/models.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Name string
		RPC  sensor.RPC
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	models := make(map[string]sensor.RPC)
	for _, m := range list {
		models[m.Name] = m.RPC
	}
	return models
}

func place(t testing.TB, model sensor.RPC, height float64) *sensor.Placement {
	t.Helper()
	p, err := sensor.NewPlacement(model, sensor.Whole(), height)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func distance(a, b geo.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

// readTable returns the rows of a table: the name of a model, and numbers.
func readTable(t *testing.T, path string) (names []string, rows [][]float64) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(fields[0], "#") {
			continue
		}
		row := make([]float64, len(fields)-1)
		for i := range row {
			if row[i], err = strconv.ParseFloat(fields[i+1], 64); err != nil {
				t.Fatal(err)
			}
		}
		names, rows = append(names, fields[0]), append(rows, row)
	}
	return names, rows
}

// Pixels are those of GDAL's transformer, at places in the area of a model and beyond it, at several
// heights, across the antimeridian and near the pole.
func TestPixelsAgreeWithGDAL(t *testing.T) {
	const tolerance = 1e-4 // pixels
	models := readModels(t)
	names, rows := readTable(t, "testdata/points.tsv")
	for i, n := range rows {
		name, height, at, want := names[i], n[0], geo.Point{X: n[1], Y: n[2]}, geo.Point{X: n[3], Y: n[4]}
		p := place(t, models[name], height)
		if got := p.Pixel(at); !(distance(got, want) <= tolerance) {
			t.Errorf("%s: the pixel at %v and %v m is %v, GDAL has %v", name, at, height, got, want)
		}
		if again := p.Pixel(p.Place(want)); !(distance(again, want) <= tolerance) {
			t.Errorf("%s: the place of %v at %v m is that of %v", name, want, height, again)
		}
	}
	if len(rows) != 6*75 {
		t.Errorf("the table has %d points", len(rows))
	}
}

// hills returns the terrain that the table of GDAL's pixels on a terrain was made with.
func hills(model sensor.RPC) sensor.Grid {
	distance := func(a, b int) int { return max(a-b, b-a) }
	t := sensor.Grid{Name: "hills", Key: "hills@1", Columns: 60, Rows: 50}
	for y := range t.Rows {
		for x := range t.Columns {
			t.Heights = append(t.Heights, float32(4*(10*distance(x%20, 10)+7*distance(y%14, 7))))
		}
	}
	t.ToGrid = func(place geo.Point) geo.Point {
		return geo.Point{
			X: (place.X - model.LongitudeOffset + model.LongitudeScale) / (2 * model.LongitudeScale) * float64(t.Columns),
			Y: (model.LatitudeOffset + model.LatitudeScale - place.Y) / (2 * model.LatitudeScale) * float64(t.Rows),
		}
	}
	return t
}

func TestPixelsOnTerrainAgreeWithGDAL(t *testing.T) {
	const tolerance = 1e-3 // pixels
	models := readModels(t)
	names, rows := readTable(t, "testdata/terrain.tsv")
	for i, n := range rows {
		name, at, want := names[i], geo.Point{X: n[0], Y: n[1]}, geo.Point{X: n[2], Y: n[3]}
		p := place(t, models[name], 0).Over(sensor.NewTerrain(hills(models[name])))
		if got := p.Pixel(at); !(distance(got, want) <= tolerance) {
			t.Errorf("%s: the pixel at %v is %v, GDAL has %v", name, at, got, want)
		}
		if again := p.Pixel(p.Place(want)); !(distance(again, want) <= 0.1) {
			t.Errorf("%s: the place of %v is that of %v", name, want, again)
		}
	}
	if len(rows) != 4*60 {
		t.Errorf("the table has %d points", len(rows))
	}
}

// Where a terrain has no height, that of the placement is used.
func TestTerrainsWithHoles(t *testing.T) {
	model := readModels(t)["lake"]
	level, grid := place(t, model, 100), hills(model)
	hole, edge := geo.Point{X: model.LongitudeOffset, Y: model.LatitudeOffset}, geo.Point{X: model.LongitudeOffset + 1.5*model.LongitudeScale, Y: model.LatitudeOffset}
	for y := 20; y < 30; y++ {
		for x := 25; x < 35; x++ {
			grid.Heights[y*grid.Columns+x] = float32(math.NaN())
		}
	}
	terrain := sensor.NewTerrain(grid)
	p := level.Over(terrain)
	for _, at := range []geo.Point{hole, edge} {
		if got, want := p.Pixel(at), level.Pixel(at); got != want {
			t.Errorf("the pixel at %v is %v, want %v", at, got, want)
		}
	}
	// Beside the hole, the heights that are known count.
	at := geo.Point{X: hole.X - 5*2*model.LongitudeScale/60, Y: hole.Y + 0.3*2*model.LatitudeScale/50}
	if got := p.Pixel(at); got == level.Pixel(at) || math.IsNaN(got.X+got.Y) {
		t.Errorf("the pixel beside the hole is %v", got)
	}
	if b := p.Reach(5584, 4590); !b.Contains(p.Place(geo.Point{X: 1, Y: 1})) || !b.Contains(p.Place(geo.Point{X: 5580, Y: 4580})) {
		t.Errorf("the image reaches over %+v", b)
	}
	if p.Key() == level.Key() || p.Key() != level.Over(terrain).Key() || p.String() != "RPCs on the heights of hills" {
		t.Errorf("%v has the key %s, and %v the key %s", p, p.Key(), level, level.Key())
	}
}

// Longitudes of places continue beyond 180, so that bounds are not torn.
func TestBoundsAcrossTheAntimeridian(t *testing.T) {
	models := readModels(t)
	for name, want := range map[string]geo.Bounds{
		"antimeridian from the west": {MinX: 179.8, MaxX: 180.1, MinY: -16.9, MaxY: -16.7},
		"antimeridian from the east": {MinX: -180.1, MaxX: -179.9, MinY: 66.4, MaxY: 66.6},
	} {
		model := models[name]
		p := place(t, model, model.HeightOffset)
		width, height := int(2*model.SampleOffset), int(2*model.LineOffset)
		b := p.Bounds(width, height)
		if !(b.MinX > want.MinX && b.MaxX < want.MaxX && b.MinY > want.MinY && b.MaxY < want.MaxY && b.Width() > 0.05) {
			t.Errorf("%s: the bounds are %+v", name, b)
		}
		if !(b.MinX < -180 || b.MaxX > 180) {
			t.Errorf("%s: the bounds %+v end at the antimeridian", name, b)
		}
		center := b.Center()
		if a, other := p.Pixel(center), p.Pixel(geo.Point{X: center.X - 360*math.Copysign(1, center.X), Y: center.Y}); distance(a, other) > 1e-3 {
			t.Errorf("%s: the pixel at %v is %v, and %v after a turn of the globe", name, center, a, other)
		}
		if again := p.Bounds(width, height); again != b || p.Bounds(width/3, height/2) == b {
			t.Errorf("%s: the bounds were %+v and are %+v", name, b, again)
		}
	}
}

// A chip shows the pixels of the full image under its own numbers.
func TestChips(t *testing.T) {
	model := readModels(t)["lake"]
	full := place(t, model, 900)
	chip, err := sensor.NewPlacement(model, sensor.Chip{A: 2, B: 0, C: 1000, D: 0, E: 3, F: 500}, 900)
	if err != nil {
		t.Fatal(err)
	}
	at := chip.Place(geo.Point{X: 110.5, Y: 220.25})
	if got, want := full.Pixel(at), (geo.Point{X: 1221, Y: 1160.75}); distance(got, want) > 1e-4 {
		t.Errorf("the pixel of the full image is %v, want %v", got, want)
	}
	if got, want := chip.Pixel(at), (geo.Point{X: 110.5, Y: 220.25}); distance(got, want) > 1e-4 {
		t.Errorf("the pixel of the chip is %v, want %v", got, want)
	}
	if full.Key() == chip.Key() || full.Key() == place(t, model, 901).Key() || full.Key() != place(t, model, 900).Key() {
		t.Error("the keys do not tell placements apart")
	}
}

// Far from the area of a model, polynomials fold: the image must not be seen there again.
func TestPlacesFarAwayAreNotInTheImage(t *testing.T) {
	for name, model := range readModels(t) {
		p := place(t, model, model.HeightOffset)
		inside := 0
		for latitude := -90.0; latitude <= 90; latitude += 0.5 {
			for longitude := -180.0; longitude < 180; longitude += 0.5 {
				pixel := p.Pixel(geo.Point{X: longitude, Y: latitude})
				if pixel.X >= 0 && pixel.Y >= 0 && pixel.X < 2*model.SampleOffset && pixel.Y < 2*model.LineOffset {
					inside++
				}
			}
		}
		if name != "pole" && inside > 1 {
			t.Errorf("%s: %d of the places on a grid of the world are in the image", name, inside)
		}
	}
}

func TestModelsThatNoSensorHas(t *testing.T) {
	for _, test := range []struct {
		name    string
		change  func(*sensor.RPC)
		message string
	}{
		{"NaN", func(m *sensor.RPC) { m.LineNumerator[7] = math.NaN() }, "a number of them is NaN"},
		{"infinite", func(m *sensor.RPC) { m.HeightScale = math.Inf(1) }, "a number of them is +Inf"},
		{"no scale", func(m *sensor.RPC) { m.LatitudeScale = 0 }, "one of their scales is 0"},
		{"a scale below zero", func(m *sensor.RPC) { m.SampleScale = -3 }, "one of their scales is -3"},
		{"off the earth", func(m *sensor.RPC) { m.LatitudeOffset = 147 }, "they are about longitude 147.2588, latitude 147"},
		{"no denominator", func(m *sensor.RPC) { m.LineDenominator = [20]float64{} }, "a denominator of them is zero in the area that they are for"},
		{"a pole", func(m *sensor.RPC) { m.SampleDenominator = [20]float64{1, 2} }, "a denominator of them is zero in the area that they are for"},
		{"an edge without a denominator", func(m *sensor.RPC) { m.SampleDenominator = [20]float64{1, 1} }, "a denominator of them is zero in the area that they are for"},
		{"constant", func(m *sensor.RPC) { m.LineNumerator, m.LineDenominator = [20]float64{1}, [20]float64{1} }, "they cannot be inverted at a height of 300 m"},
		{"a line", func(m *sensor.RPC) { m.LineNumerator, m.LineDenominator = m.SampleNumerator, m.SampleDenominator }, "they cannot be inverted at a height of 300 m"},
		{"diverging", func(m *sensor.RPC) { m.LineNumerator[15], m.SampleNumerator[11] = 60, -70 }, "they cannot be inverted at a height of 300 m"},
		{"huge", func(m *sensor.RPC) { m.LineNumerator[2] = 1e308 }, "they cannot be inverted at a height of 300 m"},
	} {
		model := readModels(t)["hobart"]
		test.change(&model)
		p, err := sensor.NewPlacement(model, sensor.Whole(), 300)
		if want := "the RPCs do not place the image: " + test.message; !errors.Is(err, sensor.ErrRPC) || err.Error() != want {
			t.Errorf("%s: got %v and %v, want %q", test.name, p, err, want)
		}
	}
	if _, err := sensor.NewPlacement(readModels(t)["hobart"], sensor.Chip{A: 1, B: 2, D: 2, E: 4}, 300); !errors.Is(err, sensor.ErrRPC) {
		t.Errorf("a chip without an area: %v", err)
	}
}

// Whatever the numbers are, a placement is refused, or answers within bounded steps.
func FuzzPlacement(f *testing.F) {
	for _, m := range readModels(f) {
		var data []byte
		for _, numbers := range [][]float64{
			{m.LineOffset, m.SampleOffset, m.LatitudeOffset, m.LongitudeOffset, m.HeightOffset},
			{m.LineScale, m.SampleScale, m.LatitudeScale, m.LongitudeScale, m.HeightScale},
			m.LineNumerator[:], m.LineDenominator[:], m.SampleNumerator[:], m.SampleDenominator[:],
		} {
			for _, v := range numbers {
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
			}
		}
		f.Add(data, 100.0)
	}
	f.Fuzz(func(t *testing.T, data []byte, height float64) {
		next := func() float64 {
			if len(data) < 4 {
				return 0
			}
			v := math.Float32frombits(binary.LittleEndian.Uint32(data))
			data = data[4:]
			return float64(v)
		}
		m := sensor.RPC{LineOffset: next(), SampleOffset: next(), LatitudeOffset: next(), LongitudeOffset: next(), HeightOffset: next()}
		m.LineScale, m.SampleScale, m.LatitudeScale, m.LongitudeScale, m.HeightScale = next(), next(), next(), next(), next()
		for _, polynomial := range []*[20]float64{&m.LineNumerator, &m.LineDenominator, &m.SampleNumerator, &m.SampleDenominator} {
			for i := range polynomial {
				polynomial[i] = next()
			}
		}
		p, err := sensor.NewPlacement(m, sensor.Whole(), height)
		if err != nil {
			if !errors.Is(err, sensor.ErrRPC) {
				t.Errorf("another error: %v", err)
			}
			return
		}
		b := p.Bounds(333, 77)
		if math.IsNaN(b.Width() + b.Height()) {
			t.Errorf("the bounds are %+v", b)
		}
		p.Pixel(b.Center())
		p.Pixel(geo.Point{X: math.NaN(), Y: math.Inf(1)})
	})
}

func BenchmarkPlacement(b *testing.B) {
	model := readModels(b)["lake"]
	p := place(b, model, model.HeightOffset)
	at := p.Place(geo.Point{X: 1000, Y: 2000})
	b.Run("pixel", func(b *testing.B) {
		for b.Loop() {
			p.Pixel(at)
		}
	})
	b.Run("place", func(b *testing.B) {
		for b.Loop() {
			p.Place(geo.Point{X: 1000, Y: 2000})
		}
	})
}
