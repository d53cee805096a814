package formula

import "slices"

// A Mixer applies a formula from its first saturation on. It is immutable and safe for concurrent
// use.
type Mixer struct {
	roots  *rootTable
	stages []*stage
}

// A stage is a saturation and the curves that follow it. Channels are rounded to bytes after each
// stage.
type stage struct {
	proportion float32
	lights     [256]float32 // linear light of each byte of sRGB
	tables     [3]*byteTable
}

func newStage(proportion float64, curves []operation) *stage {
	s := &stage{proportion: float32(proportion)}
	for i := range s.lights {
		s.lights[i] = float32(toLight(float64(i) / 255))
	}
	for channel := range s.tables {
		if channel > 0 && slices.Equal(operationsOn(curves, channel), operationsOn(curves, 0)) {
			s.tables[channel] = s.tables[0]
		} else {
			s.tables[channel] = newByteTable(operationsOn(curves, channel), channel)
		}
	}
	return s
}

// operationsOn returns the operations that change a channel.
func operationsOn(operations []operation, channel int) []operation {
	return slices.DeleteFunc(slices.Clone(operations), func(o operation) bool { return o.channels>>channel&1 == 0 })
}

// Apply changes pixels in place. Their first three bytes are red, green and blue in sRGB; a fourth
// byte stays as it is. Apply does not allocate. Up to a proportion of 20, bytes differ by at most
// one from a computation in double precision, and nearly all are equal.
func (m *Mixer) Apply(pixels []uint8, bytesPerPixel int) {
	if bytesPerPixel != 3 && bytesPerPixel != 4 {
		panic("formula: pixels are of three or four bytes")
	}
	for ; len(pixels) >= bytesPerPixel; pixels = pixels[min(len(pixels), spanPixels*bytesPerPixel):] {
		span := pixels[:min(len(pixels)/bytesPerPixel, spanPixels)*bytesPerPixel]
		for _, s := range m.stages {
			s.apply(m.roots, span, bytesPerPixel)
		}
	}
}

// spanPixels is the number of pixels converted at a time. Their light fits the first-level cache.
const spanPixels = 256

// apply converts a span to saturated light and back to bytes.
func (s *stage) apply(roots *rootTable, pixels []uint8, bytesPerPixel int) {
	var red, green, blue [spanPixels]float32
	n := len(pixels) / bytesPerPixel
	s.saturate(red[:n], green[:n], blue[:n], roots, pixels, bytesPerPixel)
	s.tables[0].write(pixels[0:], bytesPerPixel, red[:n])
	s.tables[1].write(pixels[1:], bytesPerPixel, green[:n])
	s.tables[2].write(pixels[2:], bytesPerPixel, blue[:n])
}

// saturate multiplies the chroma C of CIELCh; lightness L and hue h stay. C is the length of (a, b)
// and h its angle, so a and b are multiplied. These are differences of the roots of X, Y and Z, so
// the roots of X and Z move away from the root of Y.
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

// The tables hold roots of light relative to white.
const stepsX, stepsZ = rootSteps / whiteX, rootSteps / whiteZ

func mix(a, b, c, partA, partB, partC float32) float32 {
	return (float32(a*partA) + float32(b*partB)) + float32(c*partC)
}
