package dataset

import (
	"strings"
	"time"

	"tileserver/decode/container"
)

// decodingTimes are about how long a core takes for a sample of 8 bits of an aerial photograph, by what
// facts about images call the codecs. The first whose name is in the text counts.
var decodingTimes = []struct {
	codec  string
	sample time.Duration
}{
	{"htj2k", 12}, {"jpeg 2000", 45}, {"lzma", 40}, {"webp", 7}, {"lerc", 6},
	{"deflate", 4}, {"zstd", 3}, {"jpeg", 3}, {"lzw", 3},
}

// otherDecodingTime is that of codecs that hardly compute.
const otherDecodingTime = 2

// decodingTime guesses how long a sample of an image takes to decode. Lossless JPEG 2000 takes thirty
// times as long as what is not compressed.
func decodingTime(m container.Image) time.Duration {
	var facts container.Facts
	m.AddStorage(&facts)
	name := strings.ToLower(facts.Compression)
	for _, d := range decodingTimes {
		if strings.Contains(name, d.codec) {
			return d.sample
		}
	}
	return otherDecodingTime
}
