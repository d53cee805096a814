package cpu

import "testing"

func TestUseLastsUntilItIsRestored(t *testing.T) {
	before := Has
	restore := Use(Features{BMI2: true})
	if Has != (Features{BMI2: true}) {
		t.Errorf("got %+v, want BMI2 alone", Has)
	}
	restore()
	if Has != before {
		t.Errorf("got %+v, want %+v again", Has, before)
	}
}
