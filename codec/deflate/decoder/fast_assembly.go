//go:build (amd64 || arm64) && !purego

package decoder

import (
	"unsafe"

	"tileserver/internal/cpu"
)

// hasFastInstructions reports whether the processor has BMI1 and BMI2 (bit fields, shifts by any
// register) and SSSE3 (byte shuffles), or NEON.
func hasFastInstructions() bool {
	return cpu.Has.BMI1 && cpu.Has.BMI2 && cpu.Has.SSSE3 || cpu.Has.NEON
}

// fastFrame holds the arguments and results of decodeFastInAssembly.
type fastFrame struct {
	src, lastSrc *byte
	dst          *byte
	n, lastN     int
	bits         uint64
	count        uint
	decoder      *Decoder
	patterns     *[16][16]uint8
	steps        *[16]uint8
	outcome      int // one of the constants below
}

// The assembly for amd64 takes isLength of an entry for the position of its successor's table.
var _ [unsafe.Offsetof(Decoder{}.distances)]struct{} = [isLength]struct{}{}

// Reasons why decodeFastInAssembly returns.
const (
	limitReached = iota
	blockEnded
	corruptData
)

// decodeFastInAssembly is the assembly twin of decodeFastInGo.
//
//go:noescape
func decodeFastInAssembly(f *fastFrame)

// repeatPatterns holds shuffle masks that repeat the first period bytes of a register over all 16,
// for periods up to 15. repeatSteps holds the number of bytes in the whole periods of such a
// register.
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

// decodeFast decodes symbols like decodeFastInGo. It uses assembly if the processor supports it.
func (d *Decoder) decodeFast(s *stream) (ended bool, err error) {
	if !hasFastInstructions() || len(s.src) < fastSourceBytes || len(s.dst) < fastDestinationBytes ||
		s.pos > len(s.src)-fastSourceBytes || s.n > len(s.dst)-fastDestinationBytes {
		return d.decodeFastInGo(s)
	}
	f := fastFrame{
		src: &s.src[s.pos], lastSrc: &s.src[len(s.src)-fastSourceBytes],
		dst: &s.dst[0], n: s.n, lastN: len(s.dst) - fastDestinationBytes,
		bits: s.bits, count: s.count,
		decoder: d, patterns: &repeatPatterns, steps: &repeatSteps,
	}
	decodeFastInAssembly(&f)
	s.pos, s.n = offset(f.src, &s.src[0]), f.n
	s.bits, s.count = f.bits, f.count
	if f.outcome == corruptData {
		err = ErrCorrupt
	}
	return f.outcome == blockEnded, err
}

// offset returns the distance from start to at, two bytes of the same slice.
func offset(at, start *byte) int {
	return int(uintptr(unsafe.Pointer(at)) - uintptr(unsafe.Pointer(start)))
}
