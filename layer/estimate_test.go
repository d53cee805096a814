package layer

import (
	"testing"

	"tileserver/pyramid"
	"tileserver/raster"
)

// Of plans with many blocks, some are looked up: each as far from the next, whatever part it is in.
func TestFewBlocksOfAPlanAreLookedUp(t *testing.T) {
	for _, sizes := range [][]int{{}, {7}, {maxCountedBlocks}, {maxCountedBlocks + 1}, {5, 0, 10 * maxCountedBlocks, 3}, {1_000_000, 999_999}} {
		var plan pyramid.Plan
		total := 0
		for _, size := range sizes {
			part := pyramid.Part{Blocks: make([]raster.BlockID, size)}
			for i := range part.Blocks {
				part.Blocks[i].Col = total + i
			}
			total += size
			plan.Parts = append(plan.Parts, part)
		}
		some := someBlocks(&plan)
		if len(some) > maxCountedBlocks || len(some) < min(total, maxCountedBlocks/2) {
			t.Errorf("of %d blocks, %d are looked up", total, len(some))
		}
		for i := range some {
			if step := some[1%len(some)].Col; some[i].Col != i*step {
				t.Fatalf("of %d blocks, number %d is %d", total, i, some[i].Col)
			}
		}
	}
}
