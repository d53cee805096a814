package encoder

import "encoding/binary"

const (
	chunkHeaderBytes = 8
	hasAlphaFlag     = 1 << 4 // flag in the VP8X chunk
)

// openChunk appends the header of a chunk of unknown size. It returns the file and the index of the
// chunk's body.
func openChunk(file []byte, name string) ([]byte, int) {
	file = append(file, name...)
	file = append(file, 0, 0, 0, 0)
	return file, len(file)
}

// closeChunk sets the size of the chunk whose body begins at start, and pads it to an even length.
func closeChunk(file []byte, start int) []byte {
	binary.LittleEndian.PutUint32(file[start-4:], uint32(len(file)-start))
	if (len(file)-start)%2 != 0 {
		file = append(file, 0)
	}
	return file
}

// appendExtended appends the VP8X chunk, which precedes the chunks of a picture with alpha. It
// holds flags and the size of the canvas.
func appendExtended(file []byte, width, height int) []byte {
	file, start := openChunk(file, "VP8X")
	file = binary.LittleEndian.AppendUint32(file, hasAlphaFlag)
	file = appendUint24(file, width-1)
	file = appendUint24(file, height-1)
	return closeChunk(file, start)
}

func appendUint24(file []byte, value int) []byte {
	return append(file, byte(value), byte(value>>8), byte(value>>16))
}
