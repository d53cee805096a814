//go:build gpu

package kernel_test

import (
	"testing"

	"tileserver/gpu/webgpu/webgputest"
)

func TestDevice(t *testing.T) {
	device := webgputest.Open(t)
	requests := everyKind()
	for _, n := range []int{1, 7, len(requests)} {
		if left := expect(t, device, requests[:n]); left > 0 {
			t.Errorf("%d of %d sound pictures are left to the cores", left, n)
		}
	}
	damaged := damagedStreams()
	if left, byTwin := expect(t, device, damaged), expect(t, twin, damaged); left != byTwin {
		t.Errorf("%d of %d damaged streams are left to the cores, by the twin %d", left, len(damaged), byTwin)
	}
	real := realStreams(t)
	if left := expect(t, device, real); left > 0 {
		t.Errorf("%d of %d real streams are left to the cores", left, len(real))
	}
}
