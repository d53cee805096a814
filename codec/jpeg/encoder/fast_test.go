package encoder

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"testing"

	"tileserver/codec/jpeg"
)

// sameColors reports whether the fast conversion and its Go twins agree.
func sameColors(above, below []byte) bool {
	n := len(above) / 3
	planes := func() (luma, more, cb, cr []uint8) {
		return make([]uint8, n), make([]uint8, n), make([]uint8, n), make([]uint8, n)
	}
	luma, more, cb, cr := planes()
	wantLuma, wantMore, wantCb, wantCr := planes()
	convertRow(luma, cb, cr, above)
	convertRowGo(wantLuma, wantCb, wantCr, above)
	if !bytes.Equal(luma, wantLuma) || !bytes.Equal(cb, wantCb) || !bytes.Equal(cr, wantCr) {
		return false
	}
	convertRows(luma, more, cb[:n/2], cr[:n/2], above, below)
	convertRowsGo(wantLuma, wantMore, wantCb[:n/2], wantCr[:n/2], above, below)
	return bytes.Equal(luma, wantLuma) && bytes.Equal(more, wantMore) && bytes.Equal(cb, wantCb) && bytes.Equal(cr, wantCr)
}

func TestColorTwins(t *testing.T) {
	for pixels := 2; pixels < 200; pixels += 2 {
		if !sameColors(noise(3*pixels, uint64(pixels)), noise(3*pixels, uint64(pixels)+1000)) {
			t.Errorf("%d pixels: other samples", pixels)
		}
	}
	corners := make([]byte, 3*64)
	for i := range corners {
		corners[i] = byte(i/3>>(i%3)&1) * 255
	}
	if !sameColors(corners, corners) {
		t.Error("pure colors: other samples")
	}
}

// sameBlocks reports whether the fast code and its Go twins produce the same blocks and bytes.
func sameBlocks(samples []uint8, stride, count int, q *quantizer, codes *codeTables) bool {
	got, want := make([]block, count), make([]block, count)
	transformRow(got, samples, stride, q)
	transformRowGo(want, samples, stride, q)
	for i := range got {
		if got[i] != want[i] {
			return false
		}
	}
	var fast, plain bitWriter
	fast.reset(count)
	plain.reset(count)
	left, right := component{codes: codes, previous: -7}, component{codes: codes, previous: -7}
	left.write(&fast, got)
	right.writeGo(&plain, want)
	return left == right && fast.end.length == plain.end.length && fast.end.count == plain.end.count &&
		bytes.Equal(fast.appendRest(fast.appendWhole(nil)), plain.appendRest(plain.appendWhole(nil)))
}

func TestBlockTwins(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var quantizers [101][2]quantizer
	for quality := 1; quality <= 100; quality++ {
		quantizers[quality][0].set(&lumaSteps, quality)
		quantizers[quality][1].set(&chromaSteps, quality)
	}
	for round := range 5000 {
		count := 1 + round%5
		stride := 8*count + 3
		samples := make([]uint8, 8*stride)
		contrast, offset := 1+random.IntN(256), random.IntN(256)
		for i := range samples {
			samples[i] = uint8(min(offset+random.IntN(contrast), 255))
		}
		quality, kind := 1+round%100, round%2
		codes := []*codeTables{&lumaCodes, &chromaCodes}[kind]
		if !sameBlocks(samples, stride, count, &quantizers[quality][kind], codes) {
			t.Fatalf("round %d, quality %d: other blocks", round, quality)
		}
	}
}

// TestBlackAndWhiteTwins compares blocks with the largest possible coefficients.
func TestBlackAndWhiteTwins(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var q quantizer
	q.set(&lumaSteps, 100)
	samples := make([]uint8, jpeg.BlockSize)
	for round := range 5000 {
		rows, columns := random.Uint32(), random.Uint32()
		for i := range samples {
			samples[i] = uint8(rows>>(i/8)^columns>>(i%8)) & 1 * 255
		}
		if !sameBlocks(samples, 8, 1, &q, &lumaCodes) {
			t.Fatalf("round %d: other blocks", round)
		}
	}
}

// TestHalvedReciprocals compares quotients with those of reciprocals that were not halved. The
// critical coefficients lie exactly between two steps.
func TestHalvedReciprocals(t *testing.T) {
	for step := int64(1); step <= 255; step++ {
		exact := (1 << reciprocalBits) / (float64(step) * rootOf8 * rootOf8)
		d := newDivisor(exact)
		if d.reciprocal < 0 {
			t.Fatalf("step %d: reciprocal %d", step, d.reciprocal)
		}
		whole := (1<<reciprocalBits/8 + step/2) / step
		for coefficient := int32(-64 * 128); coefficient <= 64*127; coefficient++ {
			want := (int64(coefficient)*whole + reciprocalHalf) >> reciprocalBits
			if got := d.quotient(coefficient); got != want {
				t.Fatalf("%d by %d is %d, want %d", coefficient, step, got, want)
			}
		}
	}
}

func FuzzTwins(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 255}, uint8(75))
	f.Add(bytes.Repeat([]byte{255, 0, 0}, 300), uint8(100))
	f.Fuzz(func(t *testing.T, pix []byte, quality uint8) {
		pix = pix[:len(pix)/12*12]
		if half := len(pix) / 2; !sameColors(pix[:half], pix[half:]) {
			t.Error("other samples")
		}
		var q quantizer
		q.set(&chromaSteps, 1+int(quality)%100)
		if count := len(pix) / jpeg.BlockSize; count > 0 && !sameBlocks(pix, count*jpeg.BlockSide, count, &q, &chromaCodes) {
			t.Error("other blocks")
		}
	})
}

// TestBytesStay compares the digests of some files, which must be the same on every machine. Update
// them when the encoder changes.
func TestBytesStay(t *testing.T) {
	pix := make([]byte, 200*120*3)
	for i := range pix {
		x, y := i/3%200, i/600
		pix[i] = byte(x*x/97+y*(40+i%3)/9) ^ byte(i*2654435761>>29&7)
	}
	tests := []struct {
		format  Format
		options Options
		want    string
	}{
		{RGB, Options{}, "60c0850d5f85890d"},
		{RGB, Options{Quality: 90, Subsampling: Chroma444}, "9688b90fcedd8765"},
		{RGB, Options{Quality: 100}, "ec554246c5d46799"},
		{RGB, Options{Quality: 5}, "bde7ee3aa4b891af"},
		{Gray, Options{Quality: 100}, "d6707e27d8062f3c"},
		{Gray, Options{Quality: 60}, "39d628250af56494"},
	}
	for _, test := range tests {
		img := packed(test.format, 197, 120, pix)
		img.Stride = 600
		if got := fmt.Sprintf("%x", sha256.Sum256(encode(t, img, test.options)))[:16]; got != test.want {
			t.Errorf("format %d, %+v: digest %s, want %s", test.format, test.options, got, test.want)
		}
	}
}

func TestStuffing(t *testing.T) {
	for length := range 40 {
		for _, rare := range []int{1, 2, 7, 100} {
			data := noise(length, uint64(rare))
			var want []byte
			for i := range data {
				if i%rare == 0 {
					data[i] = 0xff
				}
				want = append(want, data[i])
				if data[i] == 0xff {
					want = append(want, 0)
				}
			}
			if got := appendStuffed([]byte("before"), data); string(got) != "before"+string(want) {
				t.Errorf("%x became %x", data, got)
			}
		}
	}
}
