//go:build (!amd64 && !arm64) || purego

package tier1

func wholeStripe32(out, slots []int32, width int) { wholeStripe(out, slots, width) }
