package gpu

import "encoding/binary"

// ReadNumbers reads the numbers of an output: words, or halves of words where it has no more bytes.
func ReadNumbers(output []byte, numbers []int32) {
	const halfBytes = WordBytes / 2
	if len(output) < WordBytes*len(numbers) {
		for i := range numbers {
			numbers[i] = int32(int16(binary.LittleEndian.Uint16(output[halfBytes*i:])))
		}
		return
	}
	for i := range numbers {
		numbers[i] = int32(binary.LittleEndian.Uint32(output[WordBytes*i:]))
	}
}
