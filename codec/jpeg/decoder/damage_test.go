package decoder

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"tileserver/codec/jpeg"
)

// TestTruncatedStreams truncates streams at every length. Only a missing end marker is tolerated.
func TestTruncatedStreams(t *testing.T) {
	d := newDrawing(41, 23, 8, halfBoth, 5)
	for name, whole := range map[string][]byte{
		"one scan":             d.sequential(0, d.all()),
		"restarts":             d.sequential(2, d.all()),
		"several scans":        d.sequential(0, []int{0}, []int{1, 2}),
		"progressive":          d.progressive(0, d.fullScript()),
		"progressive restarts": d.progressive(3, d.fullScript()),
	} {
		const endBytes = 2
		var decoder Decoder
		if _, err := tryDecode(&decoder, whole[:len(whole)-endBytes], false); err != nil {
			t.Errorf("%s, without the marker of its end: %v", name, err)
		}
		for n := range len(whole) - endBytes {
			if _, err := tryDecode(&decoder, whole[:n:n], false); !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%s, cut to %d of %d bytes: got %v, want ErrCorrupt", name, n, len(whole), err)
			}
		}
	}
}

// TestTruncatedScan shortens the data of a scan but keeps the markers behind it.
func TestTruncatedScan(t *testing.T) {
	d := newDrawing(41, 23, 8, halfBoth, 5)
	whole := d.sequential(0, d.all())
	data := bytes.Index(whole, []byte{0xFF, byte(jpeg.MarkerScan)}) + 2 + 12
	for n := data; n < len(whole)-2; n++ {
		if whole[n-1] == 0xFF {
			continue
		}
		cut := append(slices.Clone(whole[:n]), 0xFF, byte(jpeg.MarkerEnd))
		if _, err := tryDecode(new(Decoder), cut, false); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("%d of %d bytes of data: got %v, want ErrCorrupt", n-data, len(whole)-data, err)
		}
	}
}

// TestBadStreams checks that invalid and unsupported streams return the expected errors.
func TestBadStreams(t *testing.T) {
	d := newDrawing(20, 20, 8, full, 5)
	good, restarts := d.sequential(0, d.all()), d.sequential(2, d.all())
	second := bytes.Index(restarts, []byte{0xFF, byte(jpeg.MarkerRestart + 1)})
	manyScans := d.progressive(0, slices.Repeat([]progressiveScan{{[]int{0}, 1, 63, 0, 1}}, 101))
	tooManyCodes := slices.Concat([]byte{0xFF, byte(jpeg.MarkerHuffman), 0, 22, 0, 3}, make([]byte, 15), []byte{1, 2, 3})
	frame := jpeg.MarkerFrame
	for _, test := range []struct {
		name   string
		stream []byte
		want   error
		saying string
	}{
		{"nothing", nil, ErrCorrupt, "no start"},
		{"no scan", []byte{0xFF, 0xD8, 0xFF, 0xD9}, ErrCorrupt, "no scan"},
		{"no width", patched(patched(good, frame, 3, 0), frame, 4, 0), ErrCorrupt, "0x20"},
		{"no height", patched(patched(good, frame, 1, 0), frame, 2, 0), ErrCorrupt, "20x0"},
		{"5 components", bytes.Replace(good, []byte{0xFF, 0xC0, 0, 17, 8, 0, 20, 0, 20, 3}, []byte{0xFF, 0xC0, 0, 23, 8, 0, 20, 0, 20, 5, 1, 1, 1, 1, 1, 1}, 1), ErrUnsupported, "5 components"},
		{"sampling factor 0", patched(good, frame, 7, 0x01), ErrCorrupt, "sampling"},
		{"sampling factor 5", patched(good, frame, 7, 0x51), ErrCorrupt, "sampling"},
		{"large units", patched(patched(good, frame, 7, 0x44), frame, 10, 0x11), ErrCorrupt, "blocks in a unit"},
		{"9 bits", patched(good, frame, 0, 9), ErrUnsupported, "9 bits"},
		{"arithmetic", bytes.Replace(good, []byte{0xFF, 0xC0}, []byte{0xFF, 0xC9}, 1), ErrUnsupported, "arithmetic"},
		{"hierarchical", bytes.Replace(good, []byte{0xFF, 0xC0}, []byte{0xFF, 0xC5}, 1), ErrUnsupported, "hierarchical"},
		{"unknown component", patched(good, jpeg.MarkerScan, 1, 9), ErrCorrupt, "component 9"},
		{"table 4", patched(good, jpeg.MarkerScan, 2, 0x40), ErrCorrupt, "tables 4"},
		{"no such table", patched(good, jpeg.MarkerScan, 2, 0x30), ErrCorrupt, "no Huffman"},
		{"no such quantizers", patched(good, frame, 8, 2), ErrCorrupt, "no quantizers"},
		{"too many codes", slices.Concat(good[:2], tooManyCodes, good[2:]), ErrCorrupt, "codes"},
		{"wrong restart", slices.Replace(slices.Clone(restarts), second+1, second+2, 0xD3), ErrCorrupt, "restart"},
		{"no restart", slices.Delete(slices.Clone(restarts), second, second+2), ErrCorrupt, ""},
		{"restarts that are not announced", patched(restarts, jpeg.MarkerInterval, 1, 0), ErrCorrupt, ""},
		{"one component missing", d.sequential(0, []int{0}, []int{2}), ErrCorrupt, "no scan of component 2"},
		{"one component two times", d.sequential(0, []int{0}, []int{0}), ErrCorrupt, "two scans"},
		{"no means", d.progressive(0, d.fullScript()[1:3]), ErrCorrupt, "no scan of component"},
		{"refinement of nothing", d.progressive(0, d.fullScript()[3:4]), ErrCorrupt, "decoded to bit"},
		{"the same scan again", manyScans, ErrCorrupt, "decoded to bit"},
		{"band with the mean", patched(d.progressive(0, d.fullScript()), jpeg.MarkerScan, 8, 5), ErrCorrupt, "coefficients 0 to 5"},
	} {
		_, err := tryDecode(new(Decoder), test.stream, false)
		if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.saying) {
			t.Errorf("%s: got %v, want %v that says %q", test.name, err, test.want, test.saying)
		}
	}
}

// TestToleratedStreams checks streams that deviate from the standard but that encoders write.
func TestToleratedStreams(t *testing.T) {
	d := newDrawing(20, 20, 8, full, 5)
	good := d.sequential(2, d.all())
	want := decoded(t, good, false)
	const quantizerBytes = 4 + 1 + 2*jpeg.BlockSize
	restart := bytes.Index(good, []byte{0xFF, byte(jpeg.MarkerRestart)})
	scan := bytes.Index(good, []byte{0xFF, byte(jpeg.MarkerScan)})
	sameNames := patched(patched(good, jpeg.MarkerFrame, 9, 1), jpeg.MarkerFrame, 12, 1)
	sameNames = patched(patched(sameNames, jpeg.MarkerScan, 3, 1), jpeg.MarkerScan, 5, 1)
	for name, stream := range map[string][]byte{
		"bytes behind the end":        append(slices.Clone(good), 0, 1, 2, 0xFF),
		"fill bytes before a marker":  slices.Insert(slices.Clone(good), scan, 0xFF, 0xFF),
		"fill bytes before a restart": slices.Insert(slices.Clone(good), restart, 0xFF, 0xFF),
		"zeros before a marker":       slices.Insert(slices.Clone(good), scan, 0, 0),
		"zeros before a restart":      slices.Insert(slices.Clone(good), restart, 0, 0),
		"tables two times":            slices.Concat(good[:scan], good[2:][:quantizerBytes], good[scan:]),
		"a comment":                   slices.Insert(slices.Clone(good), scan, 0xFF, 0xFE, 0, 4, 1, 2),
		"components of one name":      sameNames,
		"lines behind the scan": slices.Insert(patched(good, jpeg.MarkerFrame, 2, 0), len(good)-2,
			0xFF, byte(jpeg.MarkerLines), 0, 4, 0, 20),
	} {
		planes, err := tryDecode(new(Decoder), stream, false)
		if err != nil || !slices.Equal(slices.Concat(planes...), want) {
			t.Errorf("%s: other samples, or %v", name, err)
		}
	}
	script := d.fullScript()
	planes, err := tryDecode(new(Decoder), d.progressive(0, script[:1]), false)
	if err != nil || len(planes) != 3 {
		t.Errorf("progressive without refinement: %v", err)
	}
}
