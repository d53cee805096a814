package components

import (
	"bytes"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// Numbers of 16 bits give the same samples as those of 32.
func TestShortTileWindows(t *testing.T) {
	for name, image := range map[string]jp2ktest.Image{"one component": jp2ktest.Wide(), "joint": jp2ktest.RGB()} {
		o := open(t, image.Codestream(), nil)
		rect := o.header.ComponentRect(0, 0)
		out := &Output{Rect: rect, Type: raster.Uint8, Bands: len(image.Components)}
		r := o.NewRequest()
		r.AddOutputs([]*Output{out}, out.Bytes())
		for c := range image.Components {
			r.AddSamples(ComponentRequest{Component: c, Rect: rect, Targets: []Target{{out, c}}})
		}
		if err := r.Plan(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := r.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		job := &assembleJob{r, &o.shared.windowWorkspaces}
		planes := func() (all []byte) {
			for i, w := range r.tileWindows {
				if err := job.Do(i); err != nil {
					t.Fatal(err)
				}
				if short := job.isShort(w); short == (r.shared.values[0].magnitude == unknownMagnitude) {
					t.Errorf("%s: tile window %d is short: %v", name, i, short)
				}
			}
			for c := range image.Components {
				all = append(all, raster.Writable[uint8](out.Buffer, c)...)
			}
			return all
		}
		short := planes()
		for i := range r.shared.values {
			r.shared.values[i].magnitude = unknownMagnitude
		}
		for c := range image.Components {
			clear(raster.Writable[uint8](out.Buffer, c))
		}
		if !bytes.Equal(planes(), short) {
			t.Errorf("%s: the samples differ", name)
		}
	}
}

// Each band counts, with the largest of its code-blocks, and so do the color differences.
func TestShortnessOfTileWindows(t *testing.T) {
	coding := &codestream.TileComponent{Reversible: true}
	window := func(magnitudes ...int) (w componentWindow, values []coefficients) {
		w = componentWindow{coding: coding, resolutions: make([]resolutionWindow, 2)}
		for i, m := range magnitudes {
			band := bandWindow{Band: &codestream.Band{Orientation: wavelet.Orientation(i)}, blocks: []member{noBlock, {group: int32(4 * i)}, {group: int32(4*i + 1)}}}
			at := min(i, 1)
			w.resolutions[at].bands = append(w.resolutions[at].bands, band)
			values = append(values, coefficients{magnitude: 1}, coefficients{magnitude: m}, coefficients{}, coefficients{})
		}
		return w, values
	}
	for _, test := range []struct {
		name       string
		magnitudes []int
		joint      bool
		want       bool
	}{
		{"small", []int{100, 100, 100, 100}, false, true},
		{"the largest LL", []int{16370, 1, 1, 1}, false, true},
		{"an LL too large", []int{16382, 1, 1, 1}, false, false},
		{"an HL too large", []int{1, 11000, 1, 1}, false, false},
		{"an LH too large", []int{1, 1, 11000, 1}, false, false},
		{"an HH too large", []int{1, 1, 1, 7300}, false, false},
		{"of 32 bits", []int{1, 1, 1, unknownMagnitude}, false, false},
		{"small colors", []int{13000, 1, 1, 1}, true, true},
		{"colors too large", []int{13200, 1, 1, 1}, true, false},
	} {
		w, values := window(test.magnitudes...)
		p := &tileWindow{components: []componentWindow{w, w, w}, transformed: test.joint}
		if got := (&assembleJob{Request: &Request{shared: groups{values: values}}}).isShort(p); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
