package tier1

import "fmt"

// Sound returns why not all passes of a block can be decoded, as far as that is known before a bit is
// read: an error that wraps ErrInvalid or ErrDamaged. A sound block is damaged only if a segmentation
// symbol turns out to be wrong. Decoders that leave all others to a Decoder can be simple.
func (b *Block) Sound() error {
	if err := b.check(MaxBitPlanes, MaxArea); err != nil {
		return err
	}
	if b.Passes > b.maxPasses() {
		return fmt.Errorf("%w: %d passes of %d bit-planes", ErrDamaged, b.Passes, b.BitPlanes)
	}
	passes, left := 0, len(b.Data)
	for i, s := range b.Segments {
		if n := min(s.Passes, b.Passes-passes); n > 0 {
			if s.Length > left {
				return fmt.Errorf("segment %d: %w: %d of %d bytes", i, ErrDamaged, left, s.Length)
			}
			if !b.isOneCodeword(passes, n) {
				return fmt.Errorf("segment %d: %w: raw and other passes in one codeword", i, ErrDamaged)
			}
			passes += n
		}
		left -= min(s.Length, left)
	}
	if passes < b.Passes {
		return fmt.Errorf("%w: %d of %d passes", ErrDamaged, passes, b.Passes)
	}
	return nil
}

// isOneCodeword reports whether n passes can be coded as one: all of them are raw, or none.
func (b *Block) isOneCodeword(first, n int) bool {
	for p := first + 1; p < first+n; p++ {
		if b.IsRaw(p) != b.IsRaw(first) {
			return false
		}
	}
	return true
}
