//go:build gpu

package kernel_test

import (
	"testing"

	"tileserver/decode/jp2k/ht"
	"tileserver/gpu/webgpu/webgputest"
)

// batchSize is how many real code-blocks a device of a test gets at a time.
const batchSize = 2000

func TestDevice(t *testing.T) {
	device := webgputest.Open(t)
	sound := everyKind()
	for _, n := range []int{1, 7, 100, len(sound)} {
		if left := expect(t, device, sound[:n]); left > 0 {
			t.Errorf("%d of %d sound blocks are left to cores", left, n)
		}
	}
	damaged := damagedBlocks()
	if left, byTwin := expect(t, device, damaged), expect(t, twin, damaged); left != byTwin {
		t.Errorf("%d of %d damaged blocks are left to cores, by the twin %d", left, len(damaged), byTwin)
	}
	var real []*ht.Block
	realBlocks(t, func(_ *testing.T, blocks []*ht.Block) { real = append(real, blocks...) })
	for len(real) > 0 {
		n := min(len(real), batchSize)
		expect(t, device, real[:n])
		real = real[n:]
	}
}
