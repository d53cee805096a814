package masks

import "testing"

func TestStatesAreKeptInLines(t *testing.T) {
	var h States
	const blocks = 1 << 40
	far := int64(statesPerLine * maxStateLines) // a block so much further on uses the same word
	for _, step := range []struct {
		note  int64
		found State
		want  map[int64]State
	}{
		{5, AllValid, map[int64]State{4: Unknown, 5: AllValid, 6: Unknown, 5 + far: Unknown}},
		{6, HidesSome, map[int64]State{5: AllValid, 6: HidesSome}},
		{6, HidesSome, map[int64]State{5: AllValid, 6: HidesSome}},
		{5 + 3*far, HidesSome, map[int64]State{5: Unknown, 6: Unknown, 5 + 3*far: HidesSome}},
		{5, AllValid, map[int64]State{5: AllValid, 6: Unknown, 5 + 3*far: Unknown}},
		{blocks - 1, AllValid, map[int64]State{blocks - 1: Unknown, 5: AllValid}}, // the line's number is too large
	} {
		h.Record(step.note, blocks, step.found)
		for block, want := range step.want {
			if got := h.Get(block); got != want {
				t.Errorf("after block %d: block %d is %d, want %d", step.note, block, got, want)
			}
		}
	}
}

// TestStatesOfFewBlocks checks the memory that they take.
func TestStatesOfFewBlocks(t *testing.T) {
	for blocks, lines := range map[int64]int{1: 1, 16: 1, 17: 2, 40: 4, 1 << 20: maxStateLines} {
		var h States
		h.Record(blocks-1, blocks, HidesSome)
		if got := len(*h.lines.Load()); got != lines || h.Get(blocks-1) != HidesSome {
			t.Errorf("%d blocks: %d lines, want %d, and the last is %d", blocks, got, lines, h.Get(blocks-1))
		}
	}
}
