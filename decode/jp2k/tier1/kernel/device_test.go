//go:build gpu

package kernel_test

import (
	"testing"

	"tileserver/decode/jp2k/tier1"
	"tileserver/gpu/webgpu/webgputest"
)

// batchSize is how many real code-blocks a device of a test gets at a time.
const batchSize = 2000

func TestDevice(t *testing.T) {
	device := webgputest.Open(t)
	sound := everyStyle()
	for _, n := range []int{1, 7, 500, len(sound)} {
		if left := expect(t, device, sound[:n]); left > 0 {
			t.Errorf("%d of %d sound blocks are left to cores", left, n)
		}
	}
	damaged := damagedBlocks()
	if left := expect(t, device, damaged); left < len(damaged)/3 || left == len(damaged) {
		t.Errorf("%d of %d damaged blocks are left to cores", left, len(damaged))
	}
	var real []tier1.Block
	realBlocks(t, func(_ *testing.T, blocks []tier1.Block) { real = append(real, blocks...) })
	for len(real) > 0 {
		n := min(len(real), batchSize)
		expect(t, device, real[:n])
		real = real[n:]
	}
}
