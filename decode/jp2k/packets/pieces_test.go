package packets

import (
	"slices"
	"testing"

	"tileserver/decode/jp2k/codestream"
)

// TestHowBlocksOfPart15Begin parses the lengths of blocks that had nothing, or only placeholders,
// before.
func TestHowBlocksOfPart15Begin(t *testing.T) {
	const mixed = codestream.HT | codestream.HTMixed
	begun := func(segments segmentation, lengthBits, passes, missing uint8) blockState {
		return blockState{segments: segments, lengthBits: lengthBits, passes: passes, missing: missing}
	}
	tests := []struct {
		name   string
		style  codestream.Style
		before blockState
		passes int
		bits   byte // from the highest on
		want   blockState
		pieces []piece
		sound  bool
	}{
		{"a cleanup pass", codestream.HT, begun(beforeHT, 3, 0, 5), 1, 0b010_00000, begun(ht, 3, 1, 5), []piece{{1, 2}}, true},
		{"one byte, which is invalid", codestream.HT, begun(beforeHT, 3, 0, 5), 1, 0b001_00000, blockState{}, nil, false},
		{"a placeholder", codestream.HT, begun(beforeHT, 3, 0, 5), 1, 0b000_00000, begun(beforeHT, 3, 1, 5), nil, true},
		{"a cleanup pass behind placeholders", codestream.HT, begun(beforeHT, 3, 0, 5), 4, 0b00110_000, begun(ht, 3, 1, 6), []piece{{1, 6}}, true},
		{"too many planes", codestream.HT, begun(beforeHT, 3, 0, maxMissing), 4, 0b00110_000, blockState{}, nil, false},
		{"a cleanup pass and a refinement", codestream.HT, begun(beforeHT, 3, 0, 5), 2, 0b010_101_00, begun(ht, 3, 2, 5), []piece{{1, 2}, {1, 5}}, true},
		{"a cleanup pass where others may be", mixed, begun(beforeAny, 4, 0, 5), 1, 0b0010_0000, begun(ht, 4, 1, 5), []piece{{1, 2}}, true},
		{"a pass of Part 1", mixed, begun(beforeAny, 4, 0, 5), 1, 0b1000_0000, begun(single, 4, 1, 5), []piece{{1, 8}}, true},
		{"a pass of Part 1 that needs no more bits", mixed, begun(beforeAny, 3, 0, 5), 1, 0b010_00000, begun(single, 3, 1, 5), []piece{{1, 2}}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := headerReader{bits: bitReader{bytes: []byte{test.bits}}}
			state := test.before
			if sound := h.splitUnknown(&state, test.style, test.passes); sound != test.sound {
				t.Fatalf("sound %t, want %t", sound, test.sound)
			}
			if test.sound && (state != test.want || !slices.Equal(h.pieces, test.pieces)) {
				t.Errorf("got %+v and %v, want %+v and %v", state, h.pieces, test.want, test.pieces)
			}
		})
	}
}
