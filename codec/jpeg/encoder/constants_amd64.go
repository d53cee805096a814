//go:build !purego

package encoder

import "tileserver/codec/jpeg"

// A vector has two lanes of 16 bytes. Bytes are shuffled only within a lane.
const (
	vectorBytes = 32
	laneBytes   = 16
	shuffleZero = 0x80 // shuffle index that yields zero
)

type (
	byteVector [vectorBytes]uint8
	wordVector [vectorBytes / 2]int16
	longVector [vectorBytes / 4]int32
)

// colorConstants holds the constants of the color conversion in assembly.
type colorConstants struct {
	// Shuffles from eight pixels to words: alternating red and green, or blue and zero.
	redGreen, blue                byteVector
	lumaRedGreen, lumaBlue        wordVector
	cbRedGreen, cbBlue            wordVector
	crRedGreen, crBlue            wordVector
	lumaBias, chromaBias          longVector
	fourChromaBiases, interleaved longVector
}

var colorVectors = newColorConstants()

func newColorConstants() colorConstants {
	c := colorConstants{
		lumaRedGreen: wordPairs(lumaRed, lumaGreen), lumaBlue: wordPairs(lumaBlue, 0),
		cbRedGreen: wordPairs(cbRed, cbGreen), cbBlue: wordPairs(cbBlue, 0),
		crRedGreen: wordPairs(crRed, crGreen), crBlue: wordPairs(crBlue, 0),
		lumaBias: repeated(lumaBias), chromaBias: repeated(chromaBias), fourChromaBiases: repeated(4 * chromaBias),
		interleaved: longVector{0, 4, 1, 5, 2, 6, 3, 7},
	}
	for i := range vectorBytes {
		// The upper lane starts eight bytes later, inside a pixel, so that both loads read only 24
		// bytes.
		pixel := uint8(i/laneBytes*4 + i%laneBytes/4*3)
		c.redGreen[i], c.blue[i] = shuffleZero, shuffleZero
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

// transformConstants holds the constants of the transform in assembly. A row is transformed at
// once. The lower lane uses the sums of opposite samples, the upper lane their differences; outer
// and inner pairs are multiplied separately.
type transformConstants struct {
	outerPairs, innerPairs                                 byteVector
	signs                                                  byteVector
	outerFactors, innerFactors                             wordVector
	evenScale, evenDiag, oddScale, oddDiag, oddCos, oddSin longVector
	// center of the samples, as part of the first coefficient
	center longVector
	half   longVector
	zigzag [8]byteVector
}

var transformVectorConstants = newTransformConstants()

func newTransformConstants() transformConstants {
	t := transformConstants{
		// The rows are the coefficients 0, 2, 4, 6 and 1, 3, 5, 7. They result from writing the
		// steps of transform8 as one matrix.
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
		center: longVector{jpeg.BlockSize * 128},
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

// zigzagShuffles returns shuffles that reorder the bytes of two vectors to stream order. The first
// four produce the first vector: the upper rows unchanged, the upper rows with lanes exchanged, and
// the lower rows likewise. The last four produce the second vector.
func zigzagShuffles() (shuffles [8]byteVector) {
	for i := range shuffles {
		for j := range shuffles[i] {
			shuffles[i][j] = shuffleZero
		}
	}
	for i, position := range jpeg.Zigzag {
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
