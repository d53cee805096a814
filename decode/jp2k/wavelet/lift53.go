package wavelet

// across53 computes pairs of samples of a row. high begins with the sample before the first pair.
// After the pairs, low and high each have one more sample.
func across53[T Integer](to, low, high []T, pairs int) {
	done := across53Vectors(to, low, high, pairs)
	across53InGo(to[2*done:], low[done:], high[done:], pairs-done)
}

func across53InGo[T Integer](to, low, high []T, pairs int) {
	if pairs == 0 {
		return
	}
	to, low, high = to[:2*pairs], low[:pairs+1], high[:pairs+2]
	before := high[1]
	even := low[0] - (high[0]+before+2)>>2
	for i, low := range low[1:] {
		after := high[i+2]
		next := low - (before+after+2)>>2
		to[2*i] = even
		to[2*i+1] = before + (even+next)>>1
		even, before = next, after
	}
}

// down53 computes an even row and the odd row before it. The even row depends on the low row and on
// the high rows before and after it. The odd row also depends on previous, the even row before it.
func down53[T Integer](even, odd, low, before, after, previous []T) {
	done := down53Vectors(even, odd, low, before, after, previous)
	down53InGo(even[done:], odd[done:], low[done:], before[done:], after[done:], previous[done:])
}

func down53InGo[T Integer](even, odd, low, before, after, previous []T) {
	odd, low, before, after, previous = odd[:len(even)], low[:len(even)], before[:len(even)], after[:len(even)], previous[:len(even)]
	for i := range even {
		high, above := before[i], previous[i]
		here := low[i] - (high+after[i]+2)>>2
		even[i] = here
		odd[i] = high + (above+here)>>1
	}
}
