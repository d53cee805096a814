package lossy

import "tileserver/codec/webp/vp8"

// settings holds the parameters that follow from a quality.
type settings struct {
	quantizer           int // from 0, the finest, to 127
	chromaDCDelta       int // quantizer offset for the DC coefficients of chroma
	filterLevel         int
	restriction         restriction
	firstPartitionLimit int // in bytes
	maxTokenBytes       int // in bytes

	lumaDC, whole, subblock, chroma quantizer

	distanceOfBit     int32 // cost of a mode bit, as squared distance
	effortOfBit       int32 // cost of a mode bit, as effort
	subblockEffort    int32 // additional effort of a macroblock with subblock modes
	minSubblockEffort int32 // macroblocks with less effort do not try subblock modes
}

// restriction limits the modes that may be used.
type restriction int

const (
	allModes restriction = iota
	wholeModesOnly
	oneModeOnly
)

// quantizerOf maps a quality to a quantizer index. The errors are about those of libwebp at the
// same quality.
var quantizerOf = [101]uint8{
	127, 103, 96, 92, 89, 86, 83, 81, 79, 77, 75, 73, 72, 70, 69, 68, 66, 65, 64, 63,
	62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 51, 50, 49, 48, 48, 47, 46, 45,
	45, 44, 43, 43, 42, 41, 41, 40, 40, 39, 38, 38, 37, 37, 36, 36, 35, 35, 34, 33,
	33, 32, 32, 31, 31, 30, 30, 29, 29, 28, 28, 28, 27, 27, 26, 26, 24, 23, 22, 21,
	19, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 5, 4, 3, 2, 1, 0,
	0,
}

const (
	maxQuantizer         = len(vp8.ACSteps) - 1
	maxChromaDCQuantizer = 117
	maxFilterLevel       = 63
)

func settingsOf(quality int) settings { return settingsOfQuantizer(int(quantizerOf[quality])) }

// settingsOfQuantizer derives all weights from the quantizer step of most coefficients. The factors
// were chosen to give the smallest files of aerial pictures, relief and maps for a given error.
// They are integers, so that pictures are the same on every machine.
func settingsOfQuantizer(q int) settings {
	dc, ac := int(vp8.DCSteps[q]), int(vp8.ACSteps[q])
	s := settings{
		quantizer:           q,
		chromaDCDelta:       -3, // wrong colors of large areas are the most visible error
		filterLevel:         min(3*ac/10, maxFilterLevel),
		firstPartitionLimit: firstPartitionLimit,
		maxTokenBytes:       maxTokenBytes,
		lumaDC:              newQuantizer(2*dc, max(ac*155/100, 8), 128, 60, 0),
		whole:               newQuantizer(dc, ac, 0, 96, 4),
		subblock:            newQuantizer(dc, ac, 110, 98, 0),
		distanceOfBit:       int32(ac+1) / 2,
		effortOfBit:         int32(3*ac+4) / 8,
		subblockEffort:      int32(2 * ac),
		minSubblockEffort:   int32(16 * ac),
	}
	chromaDC := vp8.DCSteps[min(max(q+s.chromaDCDelta, 0), maxChromaDCQuantizer)]
	s.chroma = newQuantizer(int(chromaDC), ac, 128, 118, 6)
	return s
}

// modeEffort and modeDistance convert the cost of a mode to an effort and to a squared distance.
func (s *settings) modeEffort(cost uint16) int32   { return int32(cost) * s.effortOfBit / wholeBit }
func (s *settings) modeDistance(cost uint16) int32 { return int32(cost) * s.distanceOfBit / wholeBit }
