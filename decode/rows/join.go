package rows

import "encoding/binary"

// Join puts samples of size bytes together whose bytes lie apart: first the highest byte of all of them, then the next,
// and so on. They come out in the machine's order.
func Join(samples, apart []byte, size int) {
	count := len(samples) / size
	samples, apart = samples[:count*size], apart[:count*size]
	done := 0
	if !machineIsBigEndian() {
		done = joinVectors(samples, apart, size)
	}
	joinInGo(samples, apart, size, done)
}

// joinInGo makes the samples from one on.
func joinInGo(samples, apart []byte, size, from int) {
	count := len(samples) / size
	if size == 4 {
		join4(samples[from*4:], apart[from:], count)
		return
	}
	for place := range size {
		to := size - 1 - place
		if machineIsBigEndian() {
			to = place
		}
		for i := from; i < count; i++ {
			samples[i*size+to] = apart[place*count+i]
		}
	}
}

// join4 fills samples with those whose bytes lie count bytes from each other.
func join4(samples, apart []byte, count int) {
	n := len(samples) / 4
	if n == 0 {
		return
	}
	b3, b2, b1, b0 := apart[:n], apart[count:][:n], apart[2*count:][:n], apart[3*count:][:n]
	for i := range n {
		v := uint32(b3[i])<<24 | uint32(b2[i])<<16 | uint32(b1[i])<<8 | uint32(b0[i])
		binary.NativeEndian.PutUint32(samples[4*i:], v)
	}
}

func machineIsBigEndian() bool { return binary.NativeEndian.Uint16([]byte{0, 1}) == 1 }
