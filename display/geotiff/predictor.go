package geotiff

import "tileserver/encode/tag"

// predictor is a value of the tag Predictor: a transformation of rows that improves compression.
type predictor uint16

const (
	predictorNone       predictor = 1
	predictorHorizontal predictor = 2 // differences of neighboring samples
	predictorFloat      predictor = 3 // differences of bytes, all highest bytes first, then the next ones
)

// predictor returns the best predictor that readers support for the type. Few support 64-bit
// differences.
func (t Type) predictor() predictor {
	switch {
	case types[t].format == tag.SampleFloat:
		return predictorFloat
	case (types[t].format == tag.SampleUnsigned || types[t].format == tag.SampleSigned) && t.Size() <= 4:
		return predictorHorizontal
	}
	return predictorNone
}
