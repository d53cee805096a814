package segments

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tileserver/decode/nitf/nitftest"
)

// counting is a file in memory that counts what is asked for, and cannot be read at one offset.
type counting struct {
	memory
	broken   int64 // 0 for none
	failures int
	asked    int // bytes
}

var errReading = errors.New("reading failed")

func (c *counting) Peek(offset int64, minLength int) ([]byte, error) {
	if c.broken > 0 && offset == c.broken {
		c.failures++
		return nil, errReading
	}
	c.asked += minLength
	return c.memory.Peek(offset, minLength)
}

func headerLength(t *testing.T, data []byte) int {
	t.Helper()
	length, err := strconv.Atoi(string(data[354:360])) // HL
	if err != nil {
		t.Fatal(err)
	}
	return length
}

func saysWrongCount(note string) bool { return strings.Contains(note, "NUMI") }

// Bytes that fill up a sound file header are no lengths of images.
func TestFilledHeadersHaveNoMoreImages(t *testing.T) {
	const pixels = 35
	for _, count := range []int{1, 2, 11} {
		sound := nitftest.File{Images: make([]nitftest.Image, count)}.Bytes()
		end := headerLength(t, sound)
		for length := range 25 + 16*4 {
			for _, fill := range []string{" ", "\x00", "0"} {
				padding := strings.Repeat(fill, length)
				data := slices.Concat(sound[:end], []byte(padding), sound[end:])
				copy(data[342:], fmt.Sprintf("%012d%06d", len(data), end+length)) // FL and HL
				f, err := Read(memory(data), DefaultLimits())
				if err != nil {
					t.Fatal(err)
				}
				if len(f.Images) != count || f.Images[count-1].Content.Length != pixels || slices.ContainsFunc(f.Notes, saysWrongCount) {
					t.Errorf("%d images, %d bytes %q: %d images, notes %q", count, length, fill, len(f.Images), f.Notes)
				}
			}
		}
	}
}

// An error of reading ends the search for the number of images.
func TestCountingEndsWhenReadingFails(t *testing.T) {
	const images = 5
	data := nitftest.File{Images: make([]nitftest.Image, images), Fields: nitftest.Fields{"NUMI": "999"}}.Bytes()
	first := headerLength(t, data)
	second := first + (len(data)-first)/images
	for _, broken := range []int{first, second} {
		r := &counting{memory: data, broken: int64(broken)}
		if _, err := Read(r, DefaultLimits()); !errors.Is(err, errReading) || r.failures != 1 {
			t.Errorf("no bytes at %d: got %v after %d attempts", broken, err, r.failures)
		}
	}
}

// The search for the number of images reads no TREs, even where each number leads to some. It takes
// no number whose images are not there.
func TestCountingReadsNoTREs(t *testing.T) {
	const images, area = 200, 99_000
	fields := nitftest.Fields{"NUMI": "001"}
	for i := range images {
		// With the list cut off before any of these, XHDL reads as 99000.
		fields[fmt.Sprintf("LISH%03d", i+1)], fields[fmt.Sprintf("LI%03d", i+1)] = "000099", "0000000010"
	}
	tre := nitftest.TRE{Tag: "LARGE", Data: bytes.Repeat([]byte("1"), area-100)}
	r := &counting{memory: nitftest.File{Images: make([]nitftest.Image, images), TREs: []nitftest.TRE{tre}, Fields: fields}.Bytes()}
	f, err := Read(r, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if r.asked > 2*area || slices.ContainsFunc(f.Notes, saysWrongCount) {
		t.Errorf("%d bytes are asked for, notes %q", r.asked, f.Notes)
	}
}
