package decoder

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"image"
	imagejpeg "image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tileserver/codec/jpeg"
	"tileserver/integration/realfiles"
)

// expectedImage is what GDAL reads from a file.
type expectedImage struct {
	Path          string
	Width, Height int
	Type          string `json:"dtype"`
	MD5           string `json:"pixel_md5"`
}

// bits returns the size of a sample.
func (e *expectedImage) bits() int {
	if e.Type == "Byte" {
		return 8
	}
	return 16
}

func expectedImages(t *testing.T, folder string) map[string]expectedImage {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "EXPECTED.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	images := make(map[string]expectedImage)
	for line := range bytes.Lines(text) {
		var image expectedImage
		if strings.Contains(string(line), `"nitf/`) && json.Unmarshal(line, &image) == nil {
			images[image.Path] = image
		}
	}
	return images
}

// Images of NITF files, which are one stream for each block, have the samples that GDAL reads.
func TestNITFStreams(t *testing.T) {
	folder := realfiles.Folder(t, "EXPECTED.jsonl")
	images := expectedImages(t, folder)
	for name, side := range map[string]int{ // of a block
		"imaging-nitf/i_3025b.ntf": 64, "imaging-nitf/ns3010a.nsf": 231, "imaging-nitf/ns3321a.nsf": 1024,
		"imaging-nitf/i_3309a.ntf": 256, "gdal/U_4017A.NTF": 64,
	} {
		want := images["nitf/"+name]
		across := (want.Width + side - 1) / side
		pixels := make([]uint16, want.Width*want.Height)
		streams := streamsOf(t, filepath.Join(folder, want.Path))
		for i, stream := range streams {
			samples := decoded(t, stream, false)
			for y := 0; y < side && i/across*side+y < want.Height; y++ {
				copy(pixels[(i/across*side+y)*want.Width+i%across*side:], samples[y*side:][:side])
			}
		}
		if sum := sumOf(pixels, want.bits()); sum != want.MD5 {
			t.Errorf("%s: %d streams have the sum %s, want %s", name, len(streams), sum, want.MD5)
		}
	}
}

// streamsOf returns the streams in a file.
func streamsOf(t *testing.T, path string) (streams [][]byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var s jpeg.Splitter
	s.Add(data)
	for _, e := range s.Streams {
		streams = append(streams, data[e.Offset:][:e.Length])
	}
	return streams
}

// sumOf returns the checksum of samples of 8 or 16 bits.
func sumOf(samples []uint16, bits int) string {
	var stored []byte
	for _, v := range samples {
		stored = append(stored, byte(v))
		if bits > 8 {
			stored = append(stored, byte(v>>8))
		}
	}
	sum := md5.Sum(stored)
	return hex.EncodeToString(sum[:])
}

// Two real files hold the same picture: one with its tables, and one that only says their level.
// GDAL 3.6 shows the latter otherwise, because it takes the steps row by row.
func TestStreamWithoutTables(t *testing.T) {
	folder := realfiles.Folder(t, "EXPECTED.jsonl")
	with := streamsOf(t, filepath.Join(folder, "nitf/imaging-nitf/i_3025b.ntf"))[0]
	without := streamsOf(t, filepath.Join(folder, "nitf/imaging-nitf/U_1125C.NTF"))[0]
	if !bytes.Contains(with, []byte{0xFF, byte(jpeg.MarkerQuantizer)}) || bytes.Contains(without, []byte{0xFF, byte(jpeg.MarkerQuantizer)}) {
		t.Fatal("other files than expected")
	}
	if !slices.Equal(decoded(t, with, false), decoded(t, without, false)) {
		t.Error("the samples differ")
	}
}

// withoutTables returns a stream without its tables, and with a marker that says their level.
func withoutTables(stream []byte, marker []byte) []byte {
	out := append([]byte(nil), stream[:2]...)
	for rest := stream[2:]; ; {
		m, body, after, err := nextSegment(rest)
		if err != nil {
			panic(err)
		}
		if m == jpeg.MarkerScan {
			return append(append(out, marker...), rest...)
		}
		if !m.IsTable() {
			out = appendSegment(out, m, body)
		}
		rest = after
	}
}

// nitfMarker returns the marker of a stream.
func nitfMarker(bits, class, level byte) []byte {
	body := append([]byte("NITF\x00\x02\x00B\x00\x01\x00\x01\x00"), bits, class, 1, level, 0, bits, 1, 1, 0, 0)
	return appendSegment(nil, jpeg.MarkerNITF, body)
}

func TestNITFTables(t *testing.T) {
	var gray bytes.Buffer
	picture := image.NewGray(image.Rect(0, 0, 24, 16))
	for i := range picture.Pix {
		picture.Pix[i] = byte(i * 37)
	}
	if err := imagejpeg.Encode(&gray, picture, nil); err != nil {
		t.Fatal(err)
	}
	stream := gray.Bytes()
	for level := 1; level <= nitfLevels; level++ {
		shared, err := ParseTables(NITFTables(level))
		if err != nil {
			t.Fatal(err)
		}
		// The stream with the steps of the level, and its own Huffman tables, which are the same.
		own := slices.Clone(stream)
		copy(own[bytes.Index(own, []byte{0xFF, byte(jpeg.MarkerQuantizer)})+5:], nitfSteps[level-1][:])
		want := decoded(t, own, false)
		if got := decoded(t, withoutTables(stream, nitfMarker(8, 0, byte(level))), false); !slices.Equal(got, want) {
			t.Errorf("level %d of a marker: the samples differ", level)
		}
		var d Decoder
		p := Picture[uint8]{Width: 24, Height: 16, Planes: [maxComponents][]uint8{make([]uint8, 24*16)}}
		if _, err := d.Open(withoutTables(stream, nil), shared); err != nil {
			t.Fatal(err)
		}
		if err := d.Decode8(&p); err != nil {
			t.Fatal(err)
		}
		for i, v := range p.Planes[0] {
			if uint16(v) != want[i] {
				t.Fatalf("level %d of the caller: sample %d is %d, want %d", level, i, v, want[i])
			}
		}
	}
	if got := decoded(t, append(slices.Clone(stream[:2]), append(nitfMarker(8, 0, 3), stream[2:]...)...), false); !slices.Equal(got, decoded(t, stream, false)) {
		t.Error("tables of the level replace those of the stream")
	}
	for _, level := range []int{0, 6} {
		if NITFTables(level) != nil {
			t.Errorf("level %d has tables", level)
		}
	}
	for name, marker := range map[string][]byte{
		"no marker": nil, "own tables": nitfMarker(8, 0, 0), "infrared": nitfMarker(8, 2, 3), "12 bits": nitfMarker(12, 0, 3),
		"an unknown level": nitfMarker(8, 0, 6), "a short marker": nitfMarker(8, 0, 3)[:12],
	} {
		if name == "a short marker" {
			marker[3] = 10
		}
		if _, err := tryDecode(new(Decoder), withoutTables(stream, marker), false); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: got %v, want ErrCorrupt", name, err)
		}
	}
}
