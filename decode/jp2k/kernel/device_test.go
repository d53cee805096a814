//go:build gpu

package kernel

import (
	"testing"

	"tileserver/gpu/webgpu/webgputest"
)

func TestDevice(t *testing.T) {
	device := webgputest.Open(t)
	for _, n := range []int{1, 7, 500} {
		if left := expect(t, device, makeTiles(n)); left > 0 {
			t.Errorf("%d of %d sound tiles are left to cores", left, n)
		}
	}
	damaged := damage(makeTiles(80))
	if left := expect(t, device, damaged); left < len(damaged)/4 || left > len(damaged)/2 {
		t.Errorf("%d of %d damaged tiles are left to cores", left, len(damaged))
	}
}
