//go:build !purego

package jpeg

// A lane of a vector has 16 bytes, and bytes are shuffled within it only.
const (
	vectorBytes = 32
	laneBytes   = 16
	nothing     = 0x80 // what shuffles to zero
)

type (
	byteVector [vectorBytes]uint8
	wordVector [vectorBytes / 2]int16
	longVector [vectorBytes / 4]int32
)

// colourConstants are what the assembly makes planes with.
type colourConstants struct {
	redGreen, blue                byteVector // shuffles of eight pixels to words, red and green in turn, or blue and zero
	lumaRedGreen, lumaBlue        wordVector
	cbRedGreen, cbBlue            wordVector
	crRedGreen, crBlue            wordVector
	lumaBias, chromaBias          longVector
	fourChromaBiases, interleaved longVector
}

var colourVectors = newColourConstants()

func newColourConstants() colourConstants {
	c := colourConstants{
		lumaRedGreen: wordPairs(lumaRed, lumaGreen), lumaBlue: wordPairs(lumaBlue, 0),
		cbRedGreen: wordPairs(cbRed, cbGreen), cbBlue: wordPairs(cbBlue, 0),
		crRedGreen: wordPairs(crRed, crGreen), crBlue: wordPairs(crBlue, 0),
		lumaBias: repeated(lumaBias), chromaBias: repeated(chromaBias), fourChromaBiases: repeated(4 * chromaBias),
		interleaved: longVector{0, 4, 1, 5, 2, 6, 3, 7},
	}
	for i := range vectorBytes {
		// The upper lane begins eight bytes on, amid a pixel, so that both together read no further than 24 bytes.
		pixel := uint8(i/laneBytes*4 + i%laneBytes/4*3)
		c.redGreen[i], c.blue[i] = nothing, nothing
		switch i % 4 {
		case 0:
			c.redGreen[i], c.blue[i] = pixel, pixel+2
		case 2:
			c.redGreen[i] = pixel + 1
		}
	}
	return c
}

func wordPairs(low, high int16) (vector wordVector) {
	for i := range vector {
		vector[i] = low
		if i%2 == 1 {
			vector[i] = high
		}
	}
	return vector
}

func repeated(value int32) (vector longVector) {
	for i := range vector {
		vector[i] = value
	}
	return vector
}

// transformConstants are what the assembly makes blocks with. A row is transformed at once: the sums of samples that lie
// opposite to each other in the lower lane, the differences in the upper one, the outer two pairs and the inner two.
type transformConstants struct {
	outerPairs, innerPairs                                 byteVector
	signs                                                  byteVector
	outerFactors, innerFactors                             wordVector
	evenScale, evenDiag, oddScale, oddDiag, oddCos, oddSin longVector
	center                                                 longVector // of the samples, as it is in the first coefficient
	half                                                   longVector
	zigzag                                                 [8]byteVector
}

var transformVectorConstants = newTransformConstants()

func newTransformConstants() transformConstants {
	t := transformConstants{
		// The rows are the coefficients 0, 2, 4, 6 and 1, 3, 5, 7: what becomes of the sums and differences when the
		// steps of transform8 are written as one.
		outerFactors: wordVector{
			1, 1, evenScale + evenDiag, evenDiag, 1, -1, evenScale - evenDiag, -evenDiag,
			oddScale + oddCos, oddDiag + oddCos, oddScale + oddSin, oddSin - oddDiag,
			oddScale - oddSin, -oddDiag - oddSin, oddScale - oddCos, oddDiag - oddCos,
		},
		innerFactors: wordVector{
			1, 1, -evenDiag, -evenScale - evenDiag, -1, 1, evenDiag, evenDiag - evenScale,
			oddDiag + oddSin, oddSin, -oddDiag - oddCos, -oddCos,
			oddCos - oddDiag, oddCos, oddDiag - oddSin, -oddSin,
		},
		evenScale: repeated(evenScale), evenDiag: repeated(evenDiag),
		oddScale: repeated(oddScale), oddDiag: repeated(oddDiag), oddCos: repeated(oddCos), oddSin: repeated(oddSin),
		center: longVector{blockSize * 128},
		half:   repeated(reciprocalHalf >> 32),
		zigzag: zigzagShuffles(),
	}
	for i := range vectorBytes {
		t.outerPairs[i] = [4]uint8{0, 7, 1, 6}[i%4]
		t.innerPairs[i] = [4]uint8{2, 5, 3, 4}[i%4]
		t.signs[i] = 1
		if i >= laneBytes && i%2 == 1 {
			t.signs[i] = 0xff // -1
		}
	}
	return t
}

// zigzagShuffles bring the bytes of two vectors into the order of the stream: those of the upper rows, first as they
// are, then with the lanes exchanged, and those of the lower rows likewise. The first four make the first vector.
func zigzagShuffles() (shuffles [8]byteVector) {
	for i := range shuffles {
		for j := range shuffles[i] {
			shuffles[i][j] = nothing
		}
	}
	for i, position := range zigzag {
		v, u := position>>3, position&7
		at, lane := i%vectorBytes, i%vectorBytes/laneBytes
		shuffle := i/vectorBytes*4 + int(v/4*2)
		if int(u&1) != lane {
			shuffle++
		}
		shuffles[shuffle][at] = v&3<<2 | u>>1
	}
	return shuffles
}
