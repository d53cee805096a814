package pyramid

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"tileserver/geo"
	"tileserver/geo/sensor"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// Samplers in assembly trust the bounds of a row. They hold on ground of any height and roughness,
// with heights that are unknown or end within the image.
func TestBoundsOfRowsOnGround(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	model, set := readModel(t), geo.WebMercatorQuad()
	rows := 0
	for range 100 {
		p := onRandomGround(t, random, model, 300+random.IntN(2000))
		bounds, ok := p.Bounds(set.CRS)
		if !ok {
			t.Fatal("no bounds")
		}
		z := 12 + random.IntN(7)
		at := geo.Point{X: bounds.MinX + random.Float64()*bounds.Width(), Y: bounds.MinY + random.Float64()*bounds.Height()}
		x, y, _, _, _ := set.Limits(z, geo.Bounds{MinX: at.X, MinY: at.Y, MaxX: at.X + 1e-6, MaxY: at.Y + 1e-6})
		plan, err := p.Plan(t.Context(), View{
			Lattice: set.Lattice(z, 1), Rect: raster.Rect{X0: x * 256, Y0: y * 256, X1: (x + 1) * 256, Y1: (y + 1) * 256}, Alpha: -1,
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range plan.Parts {
			rows += checkRows(t, p, &plan, &plan.Parts[i])
		}
	}
	if rows < 3000 {
		t.Errorf("only %d rows", rows)
	}
}

// checkRows places the rows of a part, and returns how many are inside of the image.
func checkRows(t *testing.T, p *Pyramid, plan *Plan, part *Part) (inside int) {
	t.Helper()
	r := reader{pyramid: p, plan: plan, level: p.info.Levels[plan.Level]}
	g := r.geometry(window{rect: part.Window})
	for i := range part.cells {
		k := &part.cells[i]
		for y := k.rect.Y0; y < k.rect.Y1; y++ {
			if !g.place(k, y) {
				continue
			}
			for _, at := range g.At[:g.N] {
				if int(at) < g.Lowest || int(at) > g.Highest || int(at) >= part.Window.Width()*part.Window.Height() {
					t.Fatalf("pixel %d of row %d is not in %d to %d of window %v", at, y, g.Lowest, g.Highest, part.Window)
				}
			}
			if !g.AnyOutside {
				inside++
			}
		}
	}
	return inside
}

// readModel returns the model of a real image.
func readModel(t *testing.T) sensor.RPC {
	t.Helper()
	text, err := os.ReadFile("../geo/sensor/testdata/models.json")
	if err != nil {
		t.Fatal(err)
	}
	var models []struct{ RPC sensor.RPC }
	if err := json.Unmarshal(text, &models); err != nil {
		t.Fatal(err)
	}
	return models[0].RPC
}

// onRandomGround returns the pyramid of a square image around the middle of a model, on a grid of
// random heights that may have holes and may be smaller than the image.
func onRandomGround(t *testing.T, random *rand.Rand, model sensor.RPC, side int) *Pyramid {
	t.Helper()
	half := float64(side) / 2
	level, err := sensor.NewPlacement(model, sensor.Chip{A: 1, C: model.SampleOffset - half, E: 1, F: model.LineOffset - half}, model.HeightOffset)
	if err != nil {
		t.Fatal(err)
	}
	b, part := level.Reach(side, side), 0.5+random.Float64()
	ground := sensor.Grid{Key: "ground", Columns: 2 + random.IntN(200), Rows: 2 + random.IntN(200)}
	ground.ToGrid = func(place geo.Point) geo.Point {
		return geo.Point{X: (place.X - b.MinX) / b.Width() * part * float64(ground.Columns), Y: (b.MaxY - place.Y) / b.Height() * part * float64(ground.Rows)}
	}
	middle, rough, hasHoles := (random.Float64()-0.5)*8000, math.Pow(10, random.Float64()*3), random.IntN(3) == 0
	for range ground.Columns * ground.Rows {
		height := middle + random.NormFloat64()*rough
		if hasHoles && random.IntN(50) == 0 {
			height = math.NaN()
		}
		ground.Heights = append(ground.Heights, float32(height))
	}
	source := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(raster.Uint8, side, side, 1, 256, 256)}
	return NewGeoreferenced(source, geo.CRS84(), level.Over(sensor.NewTerrain(ground)))
}
