package rows

import (
	"encoding/binary"
	"math/bits"
)

// Swap reverses the bytes of each word of size bytes, which is 2, 4 or 8.
func Swap(words []byte, size int) {
	swapInGo(words[swapVectors(words, size):], size)
}

func swapInGo(words []byte, size int) {
	order := binary.NativeEndian
	switch size {
	case 2:
		swap2(words)
	case 4:
		for ; len(words) >= 4; words = words[4:] {
			order.PutUint32(words, bits.ReverseBytes32(order.Uint32(words)))
		}
	case 8:
		for ; len(words) >= 8; words = words[8:] {
			order.PutUint64(words, bits.ReverseBytes64(order.Uint64(words)))
		}
	}
}

// swap2 swaps four words at a time.
func swap2(words []byte) {
	const low = 0x00ff00ff00ff00ff
	order := binary.NativeEndian
	for ; len(words) >= 8; words = words[8:] {
		v := order.Uint64(words)
		order.PutUint64(words, v&low<<8|v>>8&low)
	}
	for ; len(words) >= 2; words = words[2:] {
		words[0], words[1] = words[1], words[0]
	}
}
