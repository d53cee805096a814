package display

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/display/picture"
	"tileserver/display/terrain"
	"tileserver/raster"
)

// hills returns heights with holes and their ground spacing.
func hills(width, height int) (raster.Tile, *GroundSpacing) {
	random := rand.New(rand.NewPCG(7, 9))
	b := raster.NewBuffer(raster.Int16, width, height, 1)
	heights := raster.Writable[int16](b, 0)
	coverage := make([]uint8, width*height)
	for i := range heights {
		heights[i] = int16(300 + 200*math.Sin(float64(i%width)/9)*math.Cos(float64(i/width)/7) + 20*random.Float64())
		coverage[i] = 255
		if random.IntN(40) == 0 {
			heights[i], coverage[i] = -32768, 0
		}
	}
	b.SetValidity(coverage)
	ground := new(GroundSpacing)
	for y := range height {
		ground.StepX, ground.StepY = append(ground.StepX, 30-float64(y)/20), append(ground.StepY, 30+float64(y)/50)
	}
	return b.Freeze(), ground
}

// cut returns a rectangle of a tile of heights and its ground spacing.
func cut(t raster.Tile, ground *GroundSpacing, x, y, width, height int) (raster.Tile, *GroundSpacing) {
	b := raster.NewBuffer(t.Type(), width, height, 1)
	coverage := make([]uint8, 0, width*height)
	for row := range height {
		at := (y+row)*t.Width() + x
		copy(raster.Writable[int16](b, 0)[row*width:], raster.Samples[int16](t, 0)[at:at+width])
		coverage = append(coverage, t.Validity(0)[at:at+width]...)
	}
	b.SetValidity(coverage)
	return b.Freeze(), &GroundSpacing{StepX: ground.StepX[y : y+height], StepY: ground.StepY[y : y+height]}
}

// Relief computed tile by tile equals the relief of the whole, byte for byte, in every mode that
// looks at neighbors.
func TestReliefOfTilesMatchesWholeRelief(t *testing.T) {
	const width, height = 61, 47
	heights, ground := hills(width, height)
	for _, mode := range []terrain.Mode{terrain.ModeHillshade, terrain.ModeMultiHillshade, terrain.ModeRelief, terrain.ModeSlope, terrain.ModeAspect, terrain.ModeContours} {
		parameters := terrain.DefaultParameters(mode)
		spec := Spec{Relief: &parameters}
		if mode == terrain.ModeRelief {
			spec.Rescale = []Range{{0, 600}}
		}
		c := chainOf(t, spec, infoOf(raster.Int16, 1))
		whole, err := c.Render(heights, ground)
		if err != nil {
			t.Fatal(err)
		}
		if whole.Width != width-2 || whole.Height != height-2 {
			t.Fatalf("%v: the picture is %dx%d", mode, whole.Width, whole.Height)
		}
		pixels := make([]uint8, 4*whole.Width*whole.Height)
		picture.Expand(pixels, whole)
		if slices.Max(pixels) == slices.Min(pixels) {
			t.Fatalf("%v: the result is uniform", mode)
		}
		const side = 16
		for y := 0; y < whole.Height; y += side {
			for x := 0; x < whole.Width; x += side {
				w, h := min(side, whole.Width-x), min(side, whole.Height-y)
				tile, err := c.Render(cut(heights, ground, x, y, w+2, h+2))
				if err != nil {
					t.Fatal(err)
				}
				own := make([]uint8, 4*w*h)
				picture.Expand(own, tile)
				for row := range h {
					want := pixels[4*((y+row)*whole.Width+x):][:4*w]
					if got := own[4*row*w:][:4*w]; !slices.Equal(got, want) {
						t.Fatalf("%v: the tile at %d,%d differs in row %d", mode, x, y, row)
					}
				}
				tile.Release()
			}
		}
	}
}

func TestHeightsAsColors(t *testing.T) {
	info := infoOf(raster.Int16, 1)
	info.Bands[0].Unit, info.Bands[0].Scale, info.Bands[0].Offset = "ft", 10, 0
	b := tileOf(raster.Int16, []float64{0, 100, -1})
	b.SetValidity([]uint8{255, 255, 0})
	tile := b.Freeze()
	for mode, encoding := range map[terrain.Mode]terrain.Encoding{
		terrain.ModeTerrainRGB: terrain.MapboxTerrainRGB(), terrain.ModeTerrarium: terrain.Terrarium(),
	} {
		parameters := terrain.DefaultParameters(mode)
		p := mustRender(t, chainOf(t, Spec{Relief: &parameters}, info), tile)
		if p.Format != picture.RGB || p.Width != 3 {
			t.Fatalf("%v: the picture is of format %d, %d wide", mode, p.Format, p.Width)
		}
		for x, want := range []float64{0, 304.8, 0} { // missing heights become 0
			got := encoding.Height(p.Pix[3*x], p.Pix[3*x+1], p.Pix[3*x+2])
			if math.Abs(got-want) > encoding.Interval/2+1e-4 {
				t.Errorf("%v: pixel %d is at %v m, want %v", mode, x, got, want)
			}
		}
	}
}

func TestReliefNeedsItsHalo(t *testing.T) {
	parameters := terrain.DefaultParameters(terrain.ModeHillshade)
	r, err := Spec{Relief: &parameters}.Resolve(infoOf(raster.Int16, 1))
	if err != nil || r.Halo() != 1 {
		t.Fatalf("a halo of %d, %v", r.Halo(), err)
	}
	c, err := Compile(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	heights, ground := hills(8, 8)
	if _, err := c.Render(heights, nil); !errors.Is(err, ErrMismatch) {
		t.Errorf("without ground: %v", err)
	}
	small, ground := cut(heights, ground, 0, 0, 2, 8)
	if _, err := c.Render(small, ground); !errors.Is(err, ErrMismatch) {
		t.Errorf("too narrow: %v", err)
	}
}
