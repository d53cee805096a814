package geotiff

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
	case types[t].format == formatFloat:
		return predictorFloat
	case (types[t].format == formatUnsigned || types[t].format == formatSigned) && t.Size() <= 4:
		return predictorHorizontal
	}
	return predictorNone
}
