package packetstest

import (
	"math/rand/v2"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/wavelet"
)

// RandomShape returns the random geometry of a small tile: odd sizes and offsets, subsampled
// components, empty resolutions, precincts of any size, and several progressions.
func RandomShape(random *rand.Rand) *Shape {
	x, y := random.IntN(60), random.IntN(60)
	s := &Shape{
		Rect:   wavelet.Rect{X0: x, Y0: y, X1: x + 1 + random.IntN(60), Y1: y + 1 + random.IntN(60)},
		Layers: 1 + random.IntN(2)*random.IntN(6),
	}
	for range 1 + random.IntN(3) {
		s.Components = append(s.Components, randomComponent(random))
	}
	s.Progressions = randomProgressions(s.Layers, len(s.Components), random)
	return s
}

func randomComponent(random *rand.Rand) Component {
	c := Component{
		DX: 1 + random.IntN(3), DY: 1 + random.IntN(3), Levels: random.IntN(5),
		BlockWidthLog2: 2 + random.IntN(4), BlockHeightLog2: 2 + random.IntN(4), Style: RandomStyle(random),
	}
	for range 1 + random.IntN(c.Levels+1) {
		size := [2]int{1 + random.IntN(6), 1 + random.IntN(6)}
		if random.IntN(3) == 0 {
			size = [2]int{15, 15}
		}
		c.Precincts = append(c.Precincts, size)
	}
	return c
}

// RandomStyle returns a random style that changes how passes are split into segments.
func RandomStyle(random *rand.Rand) codestream.Style {
	style := codestream.Style(random.IntN(256)) & (codestream.Bypass | codestream.TerminateAll)
	switch random.IntN(4) {
	case 0:
		return codestream.HT
	case 1:
		return style | codestream.HT | codestream.HTMixed
	}
	return style
}

func randomProgressions(layers, components int, random *rand.Rand) []codestream.Progression {
	var all []codestream.Progression
	for range random.IntN(2) * random.IntN(4) {
		first, component := random.IntN(4), random.IntN(components)
		all = append(all, codestream.Progression{
			Order:           codestream.Order(random.IntN(5)),
			FirstResolution: first, EndResolution: first + 1 + random.IntN(4),
			FirstComponent: component, EndComponent: component + 1 + random.IntN(3),
			EndLayer: 1 + random.IntN(layers),
		})
	}
	return append(all, codestream.Progression{
		Order: codestream.Order(random.IntN(5)), EndResolution: 33, EndComponent: components, EndLayer: layers,
	})
}
