package wavelet

// Scratch is memory that one synthesis after the other works in. The zero value is ready; it serves one goroutine at a
// time.
type Scratch[T Number] struct{ memory []T }

// Bytes is how much memory it has come to hold, of samples of so many bytes.
func (s *Scratch[T]) Bytes(sampleBytes int) int { return cap(s.memory) * sampleBytes }

// rowSlack is by how many samples rows in scratch memory are longer than the pairs in them: a band's row has a few samples
// before the first and behind the last, and is lifted in whole vectors.
const rowSlack = 16

// wholeVectors rounds a number of samples up. What is in scratch memory is calculated with in whole vectors,
// whatever lies beyond what counts.
func wholeVectors(samples int) int { return (samples + 7) &^ 7 }

// rows are so many rows in scratch memory, each with room for pairs, which are whole vectors, and the slack. Their content
// is left over from other work.
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
