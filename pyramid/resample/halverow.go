package resample

import (
	"encoding/binary"

	"tileserver/raster"
)

// halveRow computes a row of means from two fully valid rows.
func halveRow[T raster.Sample](target, above, below []T, round *rounder[T]) {
	switch target := any(target).(type) {
	case []uint8:
		halveBytes(target, any(above).([]uint8), any(below).([]uint8))
	case []int8:
		halveIntegers(target, any(above).([]int8), any(below).([]int8))
	case []uint16:
		halveIntegers(target, any(above).([]uint16), any(below).([]uint16))
	case []int16:
		halveIntegers(target, any(above).([]int16), any(below).([]int16))
	case []uint32:
		halveIntegers(target, any(above).([]uint32), any(below).([]uint32))
	case []int32:
		halveIntegers(target, any(above).([]int32), any(below).([]int32))
	default:
		halveNumbers(any(target).([]T), above, below, round)
	}
}

// halveNumbers is halveRow for any type of sample.
func halveNumbers[T raster.Sample](target, above, below []T, round *rounder[T]) {
	pairs := len(above) / 2
	for x := range target[:pairs] {
		a, b := above[2*x:2*x+2], below[2*x:2*x+2]
		target[x] = meanOf([4]T{a[0], a[1], b[0], b[1]}, round)
	}
	if last := len(above) - 1; pairs < len(target) {
		target[pairs] = meanOf([4]T{above[last], above[last], below[last], below[last]}, round)
	}
}

// halveIntegers is halveNumbers for integers whose sums fit in 64 bits.
func halveIntegers[T int8 | uint16 | int16 | uint32 | int32](target, above, below []T) {
	pairs := len(above) / 2
	for x := range target[:pairs] {
		a, b := above[2*x:2*x+2], below[2*x:2*x+2]
		target[x] = T((int64(a[0]) + int64(a[1]) + int64(b[0]) + int64(b[1]) + 2) >> 2)
	}
	if last := len(above) - 1; pairs < len(target) {
		target[pairs] = T((int64(above[last]) + int64(below[last]) + 1) >> 1)
	}
}

// halveBytes computes four bytes from two times eight at once. Their sums have 16 bits each.
func halveBytes(target, above, below []uint8) {
	const evens, half = 0x00ff00ff00ff00ff, 0x0002000200020002
	for ; len(above) >= 8; above, below, target = above[8:], below[8:], target[4:] {
		a, b := binary.LittleEndian.Uint64(above), binary.LittleEndian.Uint64(below)
		sums := a&evens + a>>8&evens + b&evens + b>>8&evens + half
		means := sums >> 2 & evens
		means = (means | means>>8) & 0x0000ffff0000ffff
		binary.LittleEndian.PutUint32(target, uint32(means|means>>16))
	}
	for x := range target {
		right := min(2*x+1, len(above)-1)
		sum := int(above[2*x]) + int(above[right]) + int(below[2*x]) + int(below[right])
		target[x] = uint8((sum + 2) / 4)
	}
}
