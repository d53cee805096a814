package codestream_test

import (
	"reflect"
	"slices"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
)

func withLevels(levels int) codestreamtest.Coding {
	return codestreamtest.Coding{Levels: levels, Layers: levels + 10}
}

func withGuardBits(guardBits int) codestreamtest.Steps {
	s := codestreamtest.ReversibleSteps(8, 9)
	s.GuardBits = guardBits
	return s
}

// Parameters of a component take precedence over those of all, and those of a tile over those of
// the image, in any order.
func TestPrecedenceOfParameters(t *testing.T) {
	const components = 4
	mainSegments := [][]byte{
		codestreamtest.COC(1, components, withLevels(2)),
		codestreamtest.COC(2, components, withLevels(3)),
		codestreamtest.QCC(1, components, withGuardBits(2)),
		codestreamtest.QCC(2, components, withGuardBits(3)),
		codestreamtest.RGN(1, components, 5),
		codestreamtest.RGN(2, components, 6),
	}
	tests := []struct {
		name      string
		tile      [][]byte
		levels    [components]int
		guardBits [components]int
		shifts    [components]int
		layers    int
	}{
		{
			name: "the image's", levels: [...]int{1, 2, 3, 1}, guardBits: [...]int{1, 2, 3, 1}, shifts: [...]int{0, 5, 6, 0}, layers: 11,
		},
		{
			name:   "all components of the tile",
			tile:   [][]byte{codestreamtest.COD(withLevels(4)), codestreamtest.QCD(withGuardBits(4))},
			levels: [...]int{4, 4, 4, 4}, guardBits: [...]int{4, 4, 4, 4}, shifts: [...]int{0, 5, 6, 0}, layers: 14,
		},
		{
			name: "one component of the tile",
			tile: [][]byte{
				codestreamtest.COC(2, components, withLevels(5)), codestreamtest.QCC(0, components, withGuardBits(5)),
				codestreamtest.RGN(2, components, 7),
			},
			levels: [...]int{1, 2, 5, 1}, guardBits: [...]int{5, 2, 3, 1}, shifts: [...]int{0, 5, 7, 0}, layers: 11,
		},
		{
			name: "one component of the tile, and then all",
			tile: [][]byte{
				codestreamtest.COC(2, components, withLevels(5)), codestreamtest.COD(withLevels(4)),
				codestreamtest.QCC(0, components, withGuardBits(5)), codestreamtest.QCD(withGuardBits(4)),
			},
			levels: [...]int{4, 4, 5, 4}, guardBits: [...]int{5, 4, 4, 4}, shifts: [...]int{0, 5, 6, 0}, layers: 14,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, tile := readTile(t, codestreamtest.Codestream(codestreamtest.Header{
				Image: rect{X1: 40, Y1: 30}, Components: slices.Repeat(gray(8), components),
				Coding: withLevels(1), Steps: withGuardBits(1), Segments: mainSegments,
			}, codestreamtest.TilePart{Segments: test.tile}), 0)
			for i, component := range tile.Components {
				if got := len(component.Resolutions) - 1; got != test.levels[i] {
					t.Errorf("component %d: got %d levels, want %d", i, got, test.levels[i])
				}
				if got := component.Resolutions[0].Bands[0].BitPlanes - 7; got != test.guardBits[i] {
					t.Errorf("component %d: got %d guard bits, want %d", i, got, test.guardBits[i])
				}
				if component.ROIShift != test.shifts[i] {
					t.Errorf("component %d: got a shift of %d, want %d", i, component.ROIShift, test.shifts[i])
				}
			}
			if tile.Layers != test.layers {
				t.Errorf("got %d layers, want %d", tile.Layers, test.layers)
			}
		})
	}
}

func TestProgressions(t *testing.T) {
	const components = 2
	progression := func(order codestream.Order, layers int) codestream.Progression {
		return codestream.Progression{Order: order, EndResolution: 2, EndComponent: components, EndLayer: layers}
	}
	of := func(p ...codestream.Progression) []byte { return codestreamtest.POC(components, p...) }
	defaultValue, image := progression(codestream.RPCL, 5), progression(codestream.LRCP, 1)
	first, later := progression(codestream.CPRL, 2), progression(codestream.PCRL, 3)
	tests := []struct {
		name  string
		image [][]byte
		parts [2][][]byte
		want  []codestream.Progression
	}{
		{name: "of COD", want: []codestream.Progression{defaultValue}},
		{name: "of the image", image: [][]byte{of(image, first)}, want: []codestream.Progression{image, first}},
		{
			name: "of the tile", image: [][]byte{of(image)}, parts: [2][][]byte{{of(first, later)}},
			want: []codestream.Progression{first, later},
		},
		{
			name: "of the tile, a part behind the other", image: [][]byte{of(image)}, parts: [2][][]byte{{of(first)}, {of(later, image)}},
			want: []codestream.Progression{first, later, image},
		},
		{
			name: "of the image, and then of the tile", image: [][]byte{of(image)}, parts: [2][][]byte{nil, {of(later)}},
			want: []codestream.Progression{image, later},
		},
		{
			name: "of a later part alone, which replaces COD", parts: [2][][]byte{nil, {of(later)}},
			want: []codestream.Progression{later},
		},
		{
			name: "beyond the layers and resolutions", parts: [2][][]byte{{of(codestream.Progression{
				FirstResolution: 1, EndResolution: 33, FirstComponent: 1, EndComponent: 0, EndLayer: 65535,
			})}},
			want: []codestream.Progression{{FirstResolution: 1, EndResolution: 2, FirstComponent: 1, EndComponent: 2, EndLayer: 5}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, tile := readTile(t, codestreamtest.Codestream(codestreamtest.Header{
				Image: rect{X1: 40, Y1: 30}, Components: slices.Repeat(gray(8), components),
				Coding: codestreamtest.Coding{Levels: 1, Layers: 5, Order: codestream.RPCL}, Segments: test.image,
			}, codestreamtest.TilePart{Segments: test.parts[0]}, codestreamtest.TilePart{Number: 1, Segments: test.parts[1]}), 0)
			if !reflect.DeepEqual(tile.Progressions, test.want) {
				t.Errorf("got %v, want %v", tile.Progressions, test.want)
			}
		})
	}
}

func TestComponentNumbersOfTwoBytes(t *testing.T) {
	const components = 300
	_, tile := readTile(t, codestreamtest.Codestream(codestreamtest.Header{
		Image: rect{X1: 40, Y1: 30}, Components: slices.Repeat(gray(8), components), Steps: withGuardBits(2),
		Segments: [][]byte{
			codestreamtest.COC(299, components, withLevels(2)), codestreamtest.QCC(298, components, withGuardBits(5)),
			codestreamtest.RGN(297, components, 9),
			codestreamtest.POC(components, codestream.Progression{EndResolution: 3, FirstComponent: 256, EndComponent: 299, EndLayer: 1}),
		},
	}, codestreamtest.TilePart{}), 0)
	if got := len(tile.Components[299].Resolutions); got != 3 {
		t.Errorf("got %d resolutions, want 3", got)
	}
	if got := tile.Components[298].Resolutions[0].Bands[0].BitPlanes; got != 12 {
		t.Errorf("got %d bit-planes, want 12", got)
	}
	if got := tile.Components[297].ROIShift; got != 9 {
		t.Errorf("got a shift of %d, want 9", got)
	}
	if p := tile.Progressions[0]; p.FirstComponent != 256 || p.EndComponent != 299 {
		t.Errorf("got components %d to %d, want 256 to 299", p.FirstComponent, p.EndComponent)
	}
}
