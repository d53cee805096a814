//go:build !purego

package inflate

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// hasFastInstructions tells whether the processor shifts by a register that is not CX, and shuffles bytes.
var hasFastInstructions = cpu.X86.HasBMI2 && cpu.X86.HasSSSE3

// fastFrame is what decodeFastBMI2 takes and gives back.
type fastFrame struct {
	src, lastSrc           *byte
	dst, lastDst, dstStart *byte
	bits                   uint64
	count                  uint
	literals               *literalTable
	distances              *distanceTable
	patterns               *[16][16]uint8
	steps                  *[16]uint8
	outcome                int // one of the below
}

// What ends decodeFastBMI2.
const (
	nearAnEnd = iota
	endedBlock
	foundDamage
)

// decodeFastBMI2 is decodeFastInGo, in assembly.
//
//go:noescape
func decodeFastBMI2(f *fastFrame)

// repeatPatterns are, for each period up to 15, where in it each of 16 bytes lies; repeatSteps are how many of these bytes
// are whole periods.
var (
	repeatPatterns = makeRepeatPatterns()
	repeatSteps    = [16]uint8{1: 16, 2: 16, 3: 15, 4: 16, 5: 15, 6: 12, 7: 14, 8: 16, 9: 9, 10: 10, 11: 11, 12: 12, 13: 13, 14: 14, 15: 15}
)

func makeRepeatPatterns() (patterns [16][16]uint8) {
	for period := 1; period < len(patterns); period++ {
		for i := range patterns[period] {
			patterns[period][i] = uint8(i % period)
		}
	}
	return patterns
}

// decodeFast decodes symbols as decodeFastInGo says, in assembly where the processor can.
func (d *Decoder) decodeFast(s *stream) (ended bool, err error) {
	if !hasFastInstructions || len(s.src) < fastSourceBytes || len(s.dst) < fastDestinationBytes ||
		s.pos > len(s.src)-fastSourceBytes || s.n > len(s.dst)-fastDestinationBytes {
		return d.decodeFastInGo(s)
	}
	f := fastFrame{
		src: &s.src[s.pos], lastSrc: &s.src[len(s.src)-fastSourceBytes],
		dst: &s.dst[s.n], lastDst: &s.dst[len(s.dst)-fastDestinationBytes], dstStart: &s.dst[0],
		bits: s.bits, count: s.count,
		literals: &d.literals, distances: &d.distances, patterns: &repeatPatterns, steps: &repeatSteps,
	}
	decodeFastBMI2(&f)
	s.pos, s.n = offset(f.src, &s.src[0]), offset(f.dst, &s.dst[0])
	s.bits, s.count = f.bits, f.count
	if f.outcome == foundDamage {
		err = ErrCorrupt
	}
	return f.outcome == endedBlock, err
}

// offset is how far a byte lies behind another of the same slice.
func offset(at, start *byte) int {
	return int(uintptr(unsafe.Pointer(at)) - uintptr(unsafe.Pointer(start)))
}
