package decoder

import "tileserver/codec/jpeg"

// nitfLevels is the number of quality levels with tables in MIL-STD-188-198A. Level 1 is the
// coarsest.
const nitfLevels = 5

// NITFTables returns, as a stream of tables, those that MIL-STD-188-198A has for gray samples of 8
// bits in general images: of quality level 1, the coarsest, to 5. It returns nil for other levels.
// Streams in NITF files may lack them. A stream whose own marker says its level needs nothing of its
// caller.
func NITFTables(level int) []byte {
	if level < 1 || level > nitfLevels {
		return nil
	}
	stream := []byte{0xFF, byte(jpeg.MarkerStart)}
	for number := range byte(tableNumbersEnd) {
		stream = appendSegment(stream, jpeg.MarkerQuantizer, append([]byte{number}, nitfSteps[level-1][:]...))
		for _, typical := range jpeg.TypicalHuffman[:2] {
			body := append([]byte{typical.Class | number}, typical.Counts[:]...)
			stream = appendSegment(stream, jpeg.MarkerHuffman, append(body, typical.Symbols...))
		}
	}
	return append(stream, 0xFF, byte(jpeg.MarkerEnd))
}

// readNITF reads the marker of NITF streams. If it names a level whose tables are known, they
// stand in for those that are missing.
func (d *Decoder) readNITF(body []byte) error {
	const bitsAt, classAt, levelAt, generalClass = 13, 14, 16, 0
	if len(body) <= levelAt || string(body[:5]) != "NITF\x00" {
		return nil
	}
	level := int(body[levelAt])
	if level < 1 || level > nitfLevels || body[bitsAt] != 8 || body[classAt] != generalClass {
		return nil
	}
	known := &d.nitf[level-1]
	if *known == nil {
		t, err := ParseTables(NITFTables(level))
		if err != nil {
			return err
		}
		*known = t
	}
	d.tables.complete(&(*known).tables)
	return nil
}

// complete takes the tables that are missing from others.
func (t *tables) complete(others *tables) {
	for i := range tableNumbersEnd {
		if t.quantizers[i] == nil {
			t.quantizers[i] = others.quantizers[i]
		}
		if t.dc[i] == nil {
			t.dc[i] = others.dc[i]
		}
		if t.ac[i] == nil {
			t.ac[i] = others.ac[i]
		}
	}
}

// nitfSteps holds the quantization steps of each level in the order of a stream.
var nitfSteps = [nitfLevels][jpeg.BlockSize]byte{
	{
		8, 72, 72, 72, 72, 72, 72, 72, 72, 72, 78, 74, 76, 74, 78, 89, 81, 84, 84, 81, 89, 106, 93, 94, 99, 94, 93, 106, 129, 111, 108, 116,
		116, 108, 111, 129, 135, 128, 136, 145, 136, 128, 135, 155, 160, 177, 177, 160, 155, 193, 213, 228, 213, 193, 255, 255, 255, 255,
		255, 255, 255, 255, 255, 255,
	},
	{
		8, 36, 36, 36, 36, 36, 36, 36, 36, 36, 39, 37, 38, 37, 39, 45, 41, 42, 42, 41, 45, 53, 47, 47, 50, 47, 47, 53, 65, 56, 54, 59,
		59, 54, 56, 65, 68, 64, 69, 73, 69, 64, 68, 78, 81, 89, 89, 81, 78, 98, 108, 115, 108, 98, 130, 144, 144, 130, 178, 190, 178, 243,
		243, 255,
	},
	{
		8, 10, 10, 10, 10, 10, 10, 10, 10, 10, 11, 10, 11, 10, 11, 13, 11, 12, 12, 11, 13, 15, 13, 13, 14, 13, 13, 15, 18, 16, 15, 16,
		16, 15, 16, 18, 19, 18, 19, 21, 19, 18, 19, 22, 23, 25, 25, 23, 22, 27, 30, 32, 30, 27, 36, 40, 40, 36, 50, 53, 50, 68, 68, 91,
	},
	{
		8, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 7, 8, 9, 8, 8, 8, 8, 9, 11, 9, 9, 10, 9, 9, 11, 13, 11, 11, 12, 12, 11, 11, 13, 14, 13, 14,
		15, 14, 13, 14, 16, 16, 18, 18, 16, 16, 20, 22, 23, 22, 20, 26, 29, 29, 26, 36, 38, 36, 49, 49, 65,
	},
	{
		4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 6, 5, 5, 6, 5, 5, 6, 7, 6, 6, 6, 6, 6, 6, 7, 8, 7, 8, 8, 8, 7, 8, 9,
		9, 10, 10, 9, 9, 11, 12, 13, 12, 11, 14, 16, 16, 14, 20, 21, 20, 27, 27, 36,
	},
}
