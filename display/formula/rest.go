package formula

import "slices"

// Rest is a formula from its first saturation on. It is not changed by use, and may be used by many at once.
type Rest struct {
	roots  *rootTable
	stages []*stage
}

// stage is a saturation and the curves that follow it. Between stages, as at the end, channels are bytes.
type stage struct {
	proportion float32
	lights     [256]float32 // of the bytes of sRGB
	levels     [3]*levels
}

func newStage(proportion float64, curves []operation) *stage {
	s := &stage{proportion: float32(proportion)}
	for i := range s.lights {
		s.lights[i] = float32(toLight(float64(i) / 255))
	}
	for channel := range s.levels {
		if channel > 0 && slices.Equal(ofChannel(curves, channel), ofChannel(curves, 0)) {
			s.levels[channel] = s.levels[0]
		} else {
			s.levels[channel] = newLevels(ofChannel(curves, channel), channel)
		}
	}
	return s
}

// ofChannel are the operations that change a channel.
func ofChannel(operations []operation, channel int) []operation {
	return slices.DeleteFunc(slices.Clone(operations), func(o operation) bool { return o.channels>>channel&1 == 0 })
}

// Apply changes pixels in place, whose first three bytes are red, green and blue of sRGB; others, which a pixel has one of
// at most, stay as they are. It allocates nothing. Up to a proportion of 20, bytes are within one of those that double
// precision gives, and nearly all are equal.
func (r *Rest) Apply(pixels []uint8, bytesPerPixel int) {
	if bytesPerPixel != 3 && bytesPerPixel != 4 {
		panic("formula: pixels are of three or four bytes")
	}
	for ; len(pixels) >= bytesPerPixel; pixels = pixels[min(len(pixels), spanPixels*bytesPerPixel):] {
		span := pixels[:min(len(pixels)/bytesPerPixel, spanPixels)*bytesPerPixel]
		for _, s := range r.stages {
			s.apply(r.roots, span, bytesPerPixel)
		}
	}
}

// spanPixels is how many pixels are light at a time: few enough to stay near the processor.
const spanPixels = 256

// apply goes over a span: from bytes to light of another saturation, and from there to bytes.
func (s *stage) apply(roots *rootTable, pixels []uint8, bytesPerPixel int) {
	var red, green, blue [spanPixels]float32
	n := len(pixels) / bytesPerPixel
	s.saturate(red[:n], green[:n], blue[:n], roots, pixels, bytesPerPixel)
	s.levels[0].write(pixels[0:], bytesPerPixel, red[:n])
	s.levels[1].write(pixels[1:], bytesPerPixel, green[:n])
	s.levels[2].write(pixels[2:], bytesPerPixel, blue[:n])
}

// saturate multiplies the chroma of CIELCh, C, which leaves the lightness L and the hue h alone. As C is the length of
// (a, b) and h its angle, this multiplies a and b; and as those are differences of the roots of X, Y and Z, it takes the
// roots of X and Z so much farther from that of Y.
func (s *stage) saturate(red, green, blue []float32, roots *rootTable, pixels []uint8, bytesPerPixel int) {
	green, blue = green[:len(red)], blue[:len(red)]
	for i := range red {
		pixel := pixels[:3]
		r, g, b := s.lights[pixel[0]], s.lights[pixel[1]], s.lights[pixel[2]]
		pixels = pixels[bytesPerPixel:]
		rootX := roots.at(mix(r, g, b, stepsX*redX, stepsX*greenX, stepsX*blueX))
		rootY := roots.at(mix(r, g, b, rootSteps*redY, rootSteps*greenY, rootSteps*blueY))
		rootZ := roots.at(mix(r, g, b, stepsZ*redZ, stepsZ*greenZ, stepsZ*blueZ))
		x := lightOf(rootY + float32(s.proportion*(rootX-rootY)))
		y := lightOf(rootY)
		z := lightOf(rootY + float32(s.proportion*(rootZ-rootY)))
		red[i] = mix(x, y, z, xRed*whiteX, yRed, zRed*whiteZ)
		green[i] = mix(x, y, z, xGreen*whiteX, yGreen, zGreen*whiteZ)
		blue[i] = mix(x, y, z, xBlue*whiteX, yBlue, zBlue*whiteZ)
	}
}

// The roots are those of light in proportion to that of white.
const stepsX, stepsZ = rootSteps / whiteX, rootSteps / whiteZ

func mix(a, b, c, partA, partB, partC float32) float32 {
	return (float32(a*partA) + float32(b*partB)) + float32(c*partC)
}
