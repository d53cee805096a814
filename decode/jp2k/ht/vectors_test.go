package ht_test

import (
	"encoding/hex"
	"slices"
	"testing"

	"tileserver/decode/jp2k/ht"
)

// TestDecodesOpenJPHOutput decodes images that OpenJPH 0.9.0 compressed without a wavelet, each of
// one code-block.
func TestDecodesOpenJPHOutput(t *testing.T) {
	for _, test := range []struct {
		name          string
		width, height int
		bits          int
		cleanup       string
		pixel         func(x, y int) int
	}{
		{
			"8 bits, noise", 9, 5, 8,
			"ff641ac8d42dd3be5c5cf982ae32ff392e9860b097440978d1c18a8b4fcbbe3a7e2d1bec0fcc02fefd00205edefee74fd6741710de00006c000010b401",
			func(x, y int) int { return (x*x*37 + y*y*y*91 + x*y*17) % 256 },
		},
		{
			"16 bits, noise", 7, 6, 16,
			"ff7f09ca5e1bfcc1a004c76e65d38dbfd7fc6cb853bdfd568679737dc1c364d68351be10a9f550444cfbcb5e232573d5929e34b164bf7eb8" +
				"09350de03cbd54aaea0c54efbfe21c32deb4a8743c6e9efe079ab8717fd59c5d08017a210060b001",
			func(x, y int) int { return (x*x*9377 + y*y*y*23291 + x*y*1117) % 65536 },
		},
		{
			"8 bits, sparse", 33, 3, 8,
			"01a0c421fe944041d7f407bf86a0733ffd0bec74fdfcb7dd9f054701",
			func(x, y int) int {
				if (x+2*y)%5 == 0 {
					return 128 + x/4 - y
				}
				return 128
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := &ht.Block{Width: test.width, Height: test.height, BitPlanes: test.bits + 1, MissingBitPlanes: test.bits, Passes: 1}
			b.Cleanup = fromHex(t, test.cleanup)
			for i, got := range mustDecode(t, new(ht.Decoder), b) {
				want := test.pixel(i%test.width, i/test.width) - 1<<(test.bits-1)
				if int(got/2) != want || got != 0 && got&1 == 0 {
					t.Errorf("sample %d is %d halves, want %d", i, got, want)
				}
			}
		})
	}
}

// TestMatchesOpenJPHDecoder decodes a block with all passes and compares with the result of OpenJPH
// 0.31.
func TestMatchesOpenJPHDecoder(t *testing.T) {
	b := &ht.Block{Width: 9, Height: 6, BitPlanes: 8, MissingBitPlanes: 5, Passes: 3}
	b.Cleanup = fromHex(t, "20c87d0b056020063eb4da92eab5236544a792bf00")
	b.Refinement = fromHex(t, "0dfd14020c0b82d950")
	want := []int32{
		10, 22, 0, 0, -6, 34, 26, -14, 0,
		10, 18, 6, 0, 6, 6, 14, -38, 0,
		10, -6, -6, 0, -6, 6, -30, -10, 14,
		-10, -14, -10, 0, -14, 0, -10, 0, -10,
		-10, 26, 6, 0, 0, 0, 0, 0, -6,
		10, 26, 0, 14, 14, -22, 0, 10, -22,
	}
	if got := mustDecode(t, new(ht.Decoder), b); !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func fromHex(t *testing.T, digits string) []byte {
	t.Helper()
	data, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
