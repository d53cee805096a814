package ht

import "testing"

// TestEventsTakeTwoBitsAtMost looks at the runs from each state that take the most bits for some events, the
// last one begun for a single event.
func TestEventsTakeTwoBitsAtMost(t *testing.T) {
	const none = -1 << 20
	most := make([][len(melExponents)]int, 200) // bits, by the events before a run and the state
	for events := range most {
		for state := range melExponents {
			most[events][state] = none
		}
	}
	most[0][0] = 0
	for events := range len(most) - 40 {
		for state, bits := range most[events] {
			exponent := melExponents[state]
			if limit := 2*(events+1) + melBits; bits+1+exponent > limit {
				t.Fatalf("%d events take %d bits, want at most %d", events+1, bits+1+exponent, limit)
			}
			longest := &most[events+1<<exponent][min(state+1, len(melExponents)-1)]
			*longest = max(*longest, bits+1)
			for zeros := range 1 << exponent {
				shorter := &most[events+zeros+1][max(state-1, 0)]
				*shorter = max(*shorter, bits+1+exponent)
			}
		}
	}
}

func TestStreamsFitIntoWhatIsSaidOfThem(t *testing.T) {
	b := &Block{Width: 64, Height: 64, BitPlanes: 9, MissingBitPlanes: 2, Passes: 3}
	for _, fill := range []byte{0, 0x7F, 0xFF} {
		for _, size := range []int{2, 3, 9, 700, 1024, 20_000} {
			b.Cleanup, b.Refinement = make([]byte, size), make([]byte, size)
			for i := range size {
				b.Cleanup[i], b.Refinement[i] = fill, fill
			}
			length := max(2, min(size/2, 4000))
			b.Cleanup[size-2], b.Cleanup[size-1] = byte(length&15), byte(length>>4)
			if err := b.Sound(); err != nil {
				t.Fatal(err)
			}
			for s := range Streams {
				to := make([]byte, b.MaxUnstuffed(s)+Padding)
				if got := b.Unstuff(s, to); got > b.MaxUnstuffed(s) {
					t.Errorf("stream %d of %d bytes 0x%X has %d bytes, want at most %d", s, size, fill, got, b.MaxUnstuffed(s))
				}
			}
		}
	}
}
