package rows

import "encoding/binary"

// Join assembles samples of size bytes from byte planes: first the highest bytes of all samples,
// then the next, and so on. The samples have native byte order.
func Join(samples, bytePlanes []byte, size int) {
	count := len(samples) / size
	samples, bytePlanes = samples[:count*size], bytePlanes[:count*size]
	done := 0
	if !machineIsBigEndian() {
		done = joinVectors(samples, bytePlanes, size)
	}
	joinInGo(samples, bytePlanes, size, done)
}

// joinInGo assembles the samples from index from on.
func joinInGo(samples, bytePlanes []byte, size, from int) {
	count := len(samples) / size
	if size == 4 {
		join4(samples[from*4:], bytePlanes[from:], count)
		return
	}
	for index := range size {
		to := size - 1 - index
		if machineIsBigEndian() {
			to = index
		}
		for i := from; i < count; i++ {
			samples[i*size+to] = bytePlanes[index*count+i]
		}
	}
}

// join4 assembles samples whose bytes lie count bytes apart.
func join4(samples, bytePlanes []byte, count int) {
	n := len(samples) / 4
	if n == 0 {
		return
	}
	b3, b2, b1, b0 := bytePlanes[:n], bytePlanes[count:][:n], bytePlanes[2*count:][:n], bytePlanes[3*count:][:n]
	for i := range n {
		v := uint32(b3[i])<<24 | uint32(b2[i])<<16 | uint32(b1[i])<<8 | uint32(b0[i])
		binary.NativeEndian.PutUint32(samples[4*i:], v)
	}
}

func machineIsBigEndian() bool { return binary.NativeEndian.Uint16([]byte{0, 1}) == 1 }
