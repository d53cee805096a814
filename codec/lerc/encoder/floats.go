package encoder

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"tileserver/codec/lerc"
)

// appendFloats appends the floats of a blob that begins at an index of out.
func (e *Encoder) appendFloats(out []byte, begin int, img *Image) []byte {
	if e.valid == 0 {
		return out
	}
	lows, highs := img.floatRanges()
	low, high := slices.Min(lows), slices.Max(highs)
	setRange(out[begin:], low, high)
	if low == high {
		return out
	}
	from := len(out)
	for _, values := range [][]float64{lows, highs} {
		for _, v := range values {
			out = appendFloat(out, img.Type, v)
		}
	}
	half := (len(out) - from) / 2
	if bytes.Equal(out[from:from+half], out[from+half:]) {
		return out
	}
	return img.appendRaw(append(out, asTheyAre))
}

// floatRanges returns the lowest and the highest of each sample of valid pixels. A blob with NaN, which
// has no place in a range, or with zeros of both signs is never of one value: samples that are stored as they are need no range, but
// equal bounds would take the place of all samples.
func (img *Image) floatRanges() (lows, highs []float64) {
	lows, highs = slices.Repeat([]float64{math.Inf(1)}, img.Depth), slices.Repeat([]float64{math.Inf(-1)}, img.Depth)
	hasNaN := false
	size := img.Type.Bytes()
	for pixel := range img.Width * img.Height {
		if img.Valid != nil && img.Valid[pixel] == 0 {
			continue
		}
		for i := range lows {
			v := floatOf(img.Samples[(pixel*img.Depth+i)*size:], img.Type)
			if v != v {
				hasNaN = true
				continue
			}
			lows[i], highs[i] = min(lows[i], v), max(highs[i], v)
		}
	}
	if hasNaN || isOfZeros(lows, highs) {
		return make([]float64, img.Depth), slices.Repeat([]float64{1}, img.Depth)
	}
	return lows, highs
}

// isOfZeros reports whether all samples are zeros of both signs, which are equal and yet two values.
func isOfZeros(lows, highs []float64) bool {
	low, high := slices.Min(lows), slices.Max(highs)
	return low == 0 && high == 0 && math.Signbit(low) != math.Signbit(high)
}

func floatOf(sample []byte, t lerc.Type) float64 {
	if t == lerc.Float32 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(sample)))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(sample))
}

func appendFloat(out []byte, t lerc.Type, v float64) []byte {
	if t == lerc.Float32 {
		return binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(v)))
	}
	return binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
}

// appendRaw appends the samples of valid pixels as they are.
func (img *Image) appendRaw(out []byte) []byte {
	if img.Valid == nil {
		return append(out, img.Samples...)
	}
	pixelBytes := img.Depth * img.Type.Bytes()
	for pixel, v := range img.Valid {
		if v != 0 {
			out = append(out, img.Samples[pixel*pixelBytes:][:pixelBytes]...)
		}
	}
	return out
}
