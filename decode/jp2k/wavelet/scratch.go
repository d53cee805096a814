package wavelet

import "unsafe"

// Scratch is reusable memory for syntheses. The zero value is ready to use, by one goroutine at a
// time.
type Scratch[T Number] struct{ memory []T }

// Bytes returns the size of the memory, for samples of the given size.
func (s *Scratch[T]) Bytes(sampleBytes int) int { return cap(s.memory) * sampleBytes }

// rowSlack is the number of samples by which a scratch row is longer than its pairs. A band's row
// has a few samples before the first pair and after the last, and is lifted in whole vectors.
const rowSlack = 16

// wholeVectors rounds a number of samples up to whole vectors. Computations in scratch memory use
// whole vectors; the samples at the end are ignored.
func wholeVectors(samples int) int { return (samples + 7) &^ 7 }

// wholeVectors53 is wholeVectors for a type of the 5-3 wavelet.
func wholeVectors53[T Integer](samples int) int {
	return (samples + lanes[T]() - 1) &^ (lanes[T]() - 1)
}

// vectorBytes is the size of the vectors of the 5-3 wavelet.
const vectorBytes = 32

// lanes returns how many samples of the 5-3 wavelet are in a vector.
func lanes[T Integer]() int { return vectorBytes / int(unsafe.Sizeof(T(0))) }

// rows sets rows to slices of scratch memory. Each has room for the given number of pairs, which
// are whole vectors, and for the slack. The content is undefined.
func (s *Scratch[T]) rows(rows [][]T, pairs int) {
	width := 2*pairs + rowSlack
	if need := len(rows) * width; cap(s.memory) < need {
		s.memory = make([]T, need)
	}
	memory := s.memory[:cap(s.memory)]
	for i := range rows {
		rows[i], memory = memory[:width:width], memory[width:]
	}
}
