package vq

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/integration/realfiles"
)

// TestMapFrames decodes frames of a raster map, which are 6 x 6 blocks of 256 x 256 pixels, and
// compares their pixels with those of GDAL.
func TestMapFrames(t *testing.T) {
	folder := realfiles.Folder(t, "EXPECTED.jsonl")
	sums := pixelSums(t, filepath.Join(folder, "EXPECTED.jsonl"))
	for _, name := range []string{"nitf/imaging-nitf/0000M033.GN3", "nitf/imaging-nitf/bug3337.ntf"} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		sum := md5.Sum(frame(t, data))
		if got, want := hex.EncodeToString(sum[:]), sums[name]; got != want {
			t.Errorf("%s: the pixels have the sum %s, want %q", name, got, want)
		}
	}
}

// pixelSums returns the sums of the pixels of files by their path.
func pixelSums(t *testing.T, path string) map[string]string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	sums := make(map[string]string)
	for lines := bufio.NewReader(file); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return sums
		}
		var entry struct {
			Path string
			MD5  string `json:"pixel_md5"`
		}
		if strings.Contains(string(line), `"nitf/`) && json.Unmarshal(line, &entry) == nil {
			sums[entry.Path] = entry.MD5
		}
	}
}

// frame returns the pixels of a frame. Its missing blocks have the transparent color.
func frame(t *testing.T, data []byte) []byte {
	t.Helper()
	const blocks, side, missing, transparent, maskHead = 6, 256, 0xFFFFFFFF, 216, 10
	at := bytes.Index(data, []byte("\x00\x00\x00\x40\x00\x00\x00\x40\x0C\x00\x01\x00\x04"))
	if at < 0 {
		t.Fatal("no header")
	}
	h, c := open(t, data[at:])
	offsets := data[at-4*blocks*blocks:]
	head := data[at-4*blocks*blocks-maskHead:]
	if got, want := int(binary.BigEndian.Uint32(head)), maskHead+4*blocks*blocks+h.Bytes; got != want {
		t.Fatalf("blocks begin at %d, want %d", got, want)
	}
	pixels := bytes.Repeat([]byte{transparent}, blocks*side*blocks*side)
	block := make([]byte, side*side)
	for i := range blocks * blocks {
		offset := binary.BigEndian.Uint32(offsets[4*i:])
		if offset == missing {
			continue
		}
		codes := data[at+h.Bytes+int(offset):][:h.BlockBytes()]
		if _, err := c.Decode(block, codes, side, side); err != nil {
			t.Fatal(err)
		}
		for y := range side {
			copy(pixels[(i/blocks*side+y)*blocks*side+i%blocks*side:], block[y*side:][:side])
		}
	}
	return pixels
}
