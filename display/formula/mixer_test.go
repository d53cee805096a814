package formula

import (
	"fmt"
	"hash/fnv"
	"math"
	"testing"
)

func TestSaturation(t *testing.T) {
	tests := []struct {
		text  string
		color [3]uint8
		want  [3]float64 // before rounding
	}{
		{"saturation 1.7", [3]uint8{200, 120, 80}, [3]float64{230.087, 101.238, 30.908}},
		{"saturation 0", [3]uint8{200, 120, 80}, [3]float64{140.17, 140.17, 140.17}},
		{"saturation 0.5", [3]uint8{200, 120, 80}, [3]float64{173.862, 130.796, 110.304}},
		{"saturation 1.7", [3]uint8{10, 50, 90}, [3]float64{0, 51.702, 119.795}},
		{"saturation 0.5", [3]uint8{255, 0, 0}, [3]float64{201.283, 95.892, 71.465}},
		{"saturation 2", [3]uint8{255, 0, 0}, [3]float64{255, 0, 0}},
		{"saturation 3", [3]uint8{3, 1, 2}, [3]float64{6.005, 0.005, 3.005}},
		{"saturation 10", [3]uint8{128, 128, 128}, [3]float64{128, 128, 128}},
		{"saturation 100", [3]uint8{255, 255, 255}, [3]float64{255, 255, 255}},
		{"saturation 100", [3]uint8{0, 0, 0}, [3]float64{0, 0, 0}},
		{"saturation 2.5", [3]uint8{90, 130, 60}, [3]float64{0, 142.116, 0}},
		{"saturation 0, gamma g 0.5", [3]uint8{200, 120, 80}, [3]float64{140.17, 77.05, 140.17}},
		{"saturation 0.5, saturation 2", [3]uint8{200, 120, 80}, [3]float64{200.052, 120.286, 79.188}},
	}
	for _, test := range tests {
		rest := mustParse(t, test.text).Mixer()
		for _, bytesPerPixel := range []int{3, 4} {
			pixel := append(test.color[:3:3], 77)[:bytesPerPixel]
			rest.Apply(pixel, bytesPerPixel)
			for channel, want := range test.want {
				if got := pixel[channel]; got != uint8(want+0.5) {
					t.Errorf("%s of %v: channel %d is %d, want %g", test.text, test.color, channel, got, want)
				}
			}
			if bytesPerPixel == 4 && pixel[3] != 77 {
				t.Errorf("%s changes the fourth byte", test.text)
			}
		}
	}
}

// A dense sample of all colors equals the formulas of CIELCh in float64, or the next byte if the
// exact value is nearly halfway.
func TestSaturationOfAllColors(t *testing.T) {
	for _, text := range []string{
		"saturation 0", "saturation 0.3", "saturation 0.9", "saturation 1.25", "saturation 1.7", "saturation 3",
		"saturation 10", "saturation 20",
		"saturation 1.5, gamma rgb 2", "saturation 1.5, gamma r 0.4, sigmoidal gb -5 0.3", "saturation 2, sigmoidal rgb 15 0.35",
	} {
		f := mustParse(t, text)
		rest := f.Mixer()
		curves := [3]*Curve{}
		for channel := range curves {
			curves[channel] = newCurve(f.operations[1:], channel)
		}
		different, total := 0, 0
		var line [3 * 256]uint8
		for red := 0; red < 256; red += 15 {
			for green := 0; green < 256; green += 5 {
				for blue := range 256 {
					copy(line[3*blue:], []uint8{uint8(red), uint8(green), uint8(blue)})
				}
				rest.Apply(line[:], 3)
				for blue := 0; blue < 256; blue += 3 {
					exact := exactSaturation([3]int{red, green, blue}, f.operations[0].value)
					for channel, value := range exact {
						if curves[channel] != nil {
							value = curves[channel].At(value)
						}
						got := int(line[3*blue+channel])
						off := got - int(value*255+0.5)
						if off < -1 || off > 1 {
							t.Fatalf("%s of %d %d %d: channel %d is %d, want %g", text, red, green, blue, channel, got, value*255)
						}
						if off != 0 {
							different++
						}
						total++
					}
				}
			}
		}
		if different*100 > total {
			t.Errorf("%s: %d of %d bytes are rounded differently", text, different, total)
		}
		t.Logf("%s: %d of %d bytes are rounded differently", text, different, total)
	}
}

func exactSaturation(color [3]int, proportion float64) [3]float64 {
	lights := [3]float64{}
	for i, c := range color {
		if v := float64(c) / 255; v <= 0.04045 {
			lights[i] = v / 12.92
		} else {
			lights[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	root := func(parts [3]float64, white float64) float64 {
		v := (lights[0]*parts[0] + lights[1]*parts[1] + lights[2]*parts[2]) / white
		if v > math.Pow(6./29, 3) {
			return math.Cbrt(v)
		}
		return v*841/108 + 4./29
	}
	x := root([3]float64{0.4124564, 0.3575761, 0.1804375}, 0.95047)
	y := root([3]float64{0.2126729, 0.7151522, 0.0721750}, 1)
	z := root([3]float64{0.0193339, 0.1191920, 0.9503041}, 1.08883)
	lightness, a, b := 116*y-16, 500*(x-y), 200*(y-z)
	chroma, hue := math.Hypot(a, b)*proportion, math.Atan2(b, a)
	a, b = chroma*math.Cos(hue), chroma*math.Sin(hue)
	y = (lightness + 16) / 116
	back := func(root, white float64) float64 {
		if root > 6./29 {
			return root * root * root * white
		}
		return (root - 4./29) * 108 / 841 * white
	}
	x, z, y = back(y+a/500, 0.95047), back(y-b/200, 1.08883), back(y, 1)
	compand := func(light float64) float64 {
		if light <= 0.0031308 {
			return max(0, light*12.92)
		}
		return min(1, 1.055*math.Pow(light, 1/2.4)-0.055)
	}
	return [3]float64{
		compand(3.2404542*x - 1.5371385*y - 0.4985314*z),
		compand(-0.9692660*x + 1.8760108*y + 0.0415560*z),
		compand(0.0556434*x - 0.2040259*y + 1.0572252*z),
	}
}

// Steep curves keep black and white, wherever in a span a pixel is.
func TestSteepCurvesAfterSaturation(t *testing.T) {
	for _, text := range []string{
		"saturation 2, gamma rgb 1000", "saturation 2, gamma rgb 0.001", "saturation 0, sigmoidal rgb 100 0",
		"saturation 0, sigmoidal rgb 100 1", "saturation 0, sigmoidal rgb -100 0.5", "saturation 5, saturation 0, saturation 7",
	} {
		rest := mustParse(t, text).Mixer()
		for _, pixels := range []int{1, 2, spanPixels - 1, spanPixels, spanPixels + 1, 3*spanPixels + 5} {
			picture := make([]uint8, 4*pixels)
			for i := range picture {
				picture[i] = uint8(i / 4 % 2 * 255)
			}
			rest.Apply(picture, 4)
			for i, got := range picture {
				if want := uint8(i / 4 % 2 * 255); got != want {
					t.Fatalf("%s: byte %d of %d pixels is %d, want %d", text, i, pixels, got, want)
				}
			}
		}
	}
}

func TestApplyToFewPixels(t *testing.T) {
	rest := mustParse(t, "saturation 0").Mixer()
	rest.Apply(nil, 3)
	part := []uint8{255, 0}
	if rest.Apply(part, 3); part[0] != 255 || part[1] != 0 {
		t.Errorf("a partly covered pixel is changed to %v", part)
	}
}

func TestApplyAllocatesNothing(t *testing.T) {
	rest, pixels := mustParse(t, "saturation 1.7, gamma r 2, saturation 0.5").Mixer(), hills()[:40000]
	if got := testing.AllocsPerRun(10, func() { rest.Apply(pixels, 4) }); got != 0 {
		t.Errorf("%g allocations", got)
	}
}

// The bytes are the same on every machine.
func TestDigest(t *testing.T) {
	digest := fnv.New64a()
	for _, text := range []string{"saturation 1.7", "saturation 0.6, gamma r 3.5, sigmoidal rgb 15 0.35", "saturation 20"} {
		f := mustParse(t, text)
		pixels := make([]uint8, 0, 3*32*32*32)
		for i := range 32 * 32 * 32 {
			pixels = append(pixels, uint8(i>>10*8+3), uint8(i>>5*8+1), uint8(i*8+5))
		}
		f.Mixer().Apply(pixels, 3)
		digest.Write(pixels)
	}
	curve := mustParse(t, "gamma r 0.7, sigmoidal r 9 0.4, sigmoidal r -3 0.6").Curve(0)
	for i := range 1001 {
		fmt.Fprintf(digest, "%x ", math.Float64bits(curve.At(float64(i)/1000)))
	}
	if got, want := digest.Sum64(), uint64(0x56b040eef9744b31); got != want {
		t.Errorf("digest %#x, want %#x", got, want)
	}
}
