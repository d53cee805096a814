package gpu

import (
	"encoding/binary"
	"unsafe"
)

// ReadNumbers reads the numbers of the output of a job: words, or halves of words where it has no more bytes.
// They have to fit into their type. It returns ErrNotDone if they must not be used.
func ReadNumbers[N int16 | int32](status uint32, output []byte, numbers []N) error {
	const halfBytes = WordBytes / 2
	if status != Done {
		return ErrNotDone
	}
	areWords := len(output) >= WordBytes*len(numbers)
	if size := int(unsafe.Sizeof(N(0))); areWords == (size == WordBytes) && !isBigEndian() {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(numbers))), size*len(numbers)), output)
		return nil
	}
	for i := range numbers {
		if areWords {
			numbers[i] = N(int32(binary.LittleEndian.Uint32(output[WordBytes*i:])))
		} else {
			numbers[i] = N(int16(binary.LittleEndian.Uint16(output[halfBytes*i:])))
		}
	}
	return nil
}

// isBigEndian reports whether this machine stores the high byte of a number first, as no device does.
func isBigEndian() bool { return binary.NativeEndian.Uint16([]byte{0, 1}) == 1 }
