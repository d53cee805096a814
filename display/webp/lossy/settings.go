package lossy

import "tileserver/decode/webp/vp8"

// settings are what follows from a quality.
type settings struct {
	quantizer           int // 0 is the finest, 127 the coarsest
	chromaMeansDelta    int // how much finer the means of chroma are
	filterLevel         int
	restraint           restraint
	firstPartitionLimit int // in bytes
	mostKeptTokens      int // in bytes

	means, whole, detailed, chroma quantizer

	distanceOfBit  int32 // what a bit for a mode is worth, as squared distance
	effortOfBit    int32 // and as effort
	detailEffort   int32 // that it takes to predict subblocks by themselves, besides their modes
	leastForDetail int32 // with less for the whole macroblock it is not tried
}

// restraint is what modes may be used.
type restraint int

const (
	allModes restraint = iota
	wholeModesOnly
	oneModeOnly
)

// quantizerOf is the quantizer of a quality: what comes out is about as near to the original as with libwebp.
var quantizerOf = [101]uint8{
	127, 103, 96, 92, 89, 86, 83, 81, 79, 77, 75, 73, 72, 70, 69, 68, 66, 65, 64, 63,
	62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 51, 50, 49, 48, 48, 47, 46, 45,
	45, 44, 43, 43, 42, 41, 41, 40, 40, 39, 38, 38, 37, 37, 36, 36, 35, 35, 34, 33,
	33, 32, 32, 31, 31, 30, 30, 29, 29, 28, 28, 28, 27, 27, 26, 26, 24, 23, 22, 21,
	19, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 5, 4, 3, 2, 1, 0,
	0,
}

const (
	maxQuantizer            = len(vp8.ACSteps) - 1
	maxChromaMeansQuantizer = 117
	maxFilterLevel          = 63
)

func settingsOf(quality int) settings { return settingsOfQuantizer(int(quantizerOf[quality])) }

// settingsOfQuantizer weighs everything by the step of most coefficients. The weights are those that were found to give
// the smallest files of aerial pictures, relief and maps at the same distance from the original. They are whole numbers:
// pictures must be the same on every machine.
func settingsOfQuantizer(q int) settings {
	dc, ac := int(vp8.DCSteps[q]), int(vp8.ACSteps[q])
	s := settings{
		quantizer:           q,
		chromaMeansDelta:    -3, // wide areas of a false colour are seen before anything else
		filterLevel:         min(3*ac/10, maxFilterLevel),
		firstPartitionLimit: firstPartitionLimit,
		mostKeptTokens:      mostKeptTokens,
		means:               newQuantizer(2*dc, max(ac*155/100, 8), 128, 60, 0),
		whole:               newQuantizer(dc, ac, 0, 96, 4),
		detailed:            newQuantizer(dc, ac, 110, 98, 0),
		distanceOfBit:       int32(ac+1) / 2,
		effortOfBit:         int32(3*ac+4) / 8,
		detailEffort:        int32(2 * ac),
		leastForDetail:      int32(16 * ac),
	}
	chromaMeans := vp8.DCSteps[min(max(q+s.chromaMeansDelta, 0), maxChromaMeansQuantizer)]
	s.chroma = newQuantizer(int(chromaMeans), ac, 128, 118, 6)
	return s
}

// modeEffort and modeDistance are what the cost of a mode is worth.
func (s *settings) modeEffort(cost uint16) int32   { return int32(cost) * s.effortOfBit / wholeBit }
func (s *settings) modeDistance(cost uint16) int32 { return int32(cost) * s.distanceOfBit / wholeBit }
