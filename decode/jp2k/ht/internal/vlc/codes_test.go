package vlc

import "testing"

// TestCodesAreComplete checks that any seven bits begin with exactly one codeword, and that no code
// has known bits for insignificant samples.
func TestCodesAreComplete(t *testing.T) {
	for name, codes := range map[string]*[8][]Code{"first row": &FirstRow, "other rows": &OtherRows} {
		for context, ofContext := range codes {
			var begin [128]int
			for _, code := range ofContext {
				for bits := code.Codeword(); bits < 128; bits += 1 << code.Length() {
					begin[bits]++
				}
				if code.Ones()&^code.Known() != 0 || code.Known()&^code.Significant() != 0 || code.HasU() == 0 && code.Known() != 0 {
					t.Errorf("%s, context %d: code %#x contradicts itself", name, context, uint32(code))
				}
			}
			for bits, count := range begin {
				if count != 1 {
					t.Errorf("%s, context %d: %07b begins with %d codewords, want 1", name, context, bits, count)
				}
			}
		}
	}
}
