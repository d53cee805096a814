package vlc

// Lookup returns the codes in a form for devices, where each is found by what it may begin. An entry has 16
// bits, two in a word, the first one lower. Its index is, from the highest bit: whether the row of quads is
// another than the first, three bits of context, and the next seven bits of the segment. It holds, from the
// lowest bit: rho, e_1 and e_k, the length of the codeword in three bits, and whether u follows.
func Lookup() (words [1024]uint32) {
	for row, codes := range []*[8][]Code{&FirstRow, &OtherRows} {
		for context, ofContext := range codes {
			for _, code := range ofContext {
				entry := code.Significant() | code.Ones()<<4 | code.Known()<<8 | code.Length()<<12 | code.HasU()<<15
				for bits := code.Codeword(); bits < 1<<7; bits += 1 << code.Length() {
					index := uint32(row<<10|context<<7) | bits
					words[index/2] |= entry << (16 * (index % 2))
				}
			}
		}
	}
	return words
}
