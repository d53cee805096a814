package kernel

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"

	"tileserver/decode/jp2k/samples"
	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/wavelet"
)

// core computes tiles as cores do. Decoders are reused, as they are there.
type core struct{ decoders [2]tier1.Decoder }

// compute computes the samples of a tile, as Read returns them.
func (c *core) compute(t *Tile) (made [][][]byte, err error) {
	coefficients, err := c.decode(t.Blocks)
	if err != nil {
		return nil, err
	}
	for _, w := range t.Windows {
		var components [][]byte
		if t.IsReversible {
			components, err = windowOnCore(w, coefficients, false, wavelet.Synthesize53[int32], samples.Reversible[int32])
		} else {
			components, err = windowOnCore(w, coefficients, true, wavelet.Synthesize97, samples.Irreversible)
		}
		if err != nil {
			return nil, err
		}
		made = append(made, components)
	}
	return made, nil
}

// decode decodes code-blocks, two at a time.
func (c *core) decode(all []tier1.Block) (coefficients [][]int32, failed error) {
	for some := range slices.Chunk(all, len(c.decoders)) {
		var tasks [len(c.decoders)]tier1.Task
		for i := range some {
			tasks[i] = tier1.Task{Decoder: &c.decoders[i], Block: &some[i], Out: make([]int32, some[i].Width*some[i].Height)}
			coefficients = append(coefficients, tasks[i].Out)
		}
		var err, otherErr error
		if len(some) == len(tasks) {
			err, otherErr = tier1.DecodeBoth(tasks[0], tasks[1])
		} else {
			err = c.decoders[0].Decode(&some[0], tasks[0].Out)
		}
		failed = errors.Join(failed, err, otherErr)
	}
	return coefficients, failed
}

// synthesis computes a window of a resolution from windows of its bands.
type synthesis[V wavelet.Number] func(*wavelet.Scratch[V], wavelet.Rect, *[4]wavelet.Plane[V], wavelet.Plane[V]) error

// windowOnCore computes the samples of a window.
func windowOnCore[V int32 | float32](w Window, coefficients [][]int32, hasSteps bool, synthesize synthesis[V], mix func(first, second, third []V)) ([][]byte, error) {
	numbers, made := make([][]V, len(w)), make([][]byte, len(w))
	for i := range w {
		plane, err := componentOnCore(&w[i], coefficients, hasSteps, synthesize)
		if err != nil {
			return nil, err
		}
		numbers[i] = plane.Samples
	}
	if len(w) == 3 {
		mix(numbers[0], numbers[1], numbers[2])
	}
	for i := range w {
		if w[i].sampleBytes() == 1 {
			made[i] = stored[uint8, int8](numbers[i], w[i].Depth)
		} else {
			made[i] = stored[uint16, int16](numbers[i], w[i].Depth)
		}
	}
	return made, nil
}

// stored returns numbers as samples of a type with a sign, or one without.
func stored[U, S samples.Sample, V samples.Value](numbers []V, depth samples.Depth) []byte {
	var made any
	if depth.Signed {
		to := make([]S, len(numbers))
		samples.Store(to, numbers, depth)
		made = to
	} else {
		to := make([]U, len(numbers))
		samples.Store(to, numbers, depth)
		made = to
	}
	var packed bytes.Buffer
	_ = binary.Write(&packed, binary.LittleEndian, made)
	return packed.Bytes()
}

// componentOnCore computes the numbers of a component.
func componentOnCore[V int32 | float32](c *Component, coefficients [][]int32, hasSteps bool, synthesize synthesis[V]) (wavelet.Plane[V], error) {
	var scratch wavelet.Scratch[V]
	made, err := bandOnCore[V](&c.Coarsest, coefficients, hasSteps)
	for i := 0; i < len(c.Levels) && err == nil; i++ {
		l := &c.Levels[i]
		bands := [4]wavelet.Plane[V]{wavelet.LL: made}
		for b := range l.Bands {
			plane, placeErr := bandOnCore[V](&l.Bands[b], coefficients, hasSteps)
			bands[b+1], err = plane, errors.Join(err, placeErr)
		}
		made = wavelet.NewPlane[V](l.Window)
		err = errors.Join(err, synthesize(&scratch, l.Whole, &bands, made))
	}
	return made, err
}

// bandOnCore places the coefficients of a band.
func bandOnCore[V int32 | float32](b *Band, coefficients [][]int32, hasSteps bool) (wavelet.Plane[V], error) {
	plane := wavelet.NewPlane[V](b.Window)
	for _, p := range b.Places {
		numbers, step := coefficients[p.Block], V(1)
		if hasSteps {
			step = V(b.Step)
		} else {
			numbers = make([]int32, len(numbers))
			wavelet.Halve(numbers, coefficients[p.Block])
		}
		if err := wavelet.Place(&plane, p.Rect, numbers, step); err != nil {
			return plane, err
		}
	}
	return plane, nil
}
