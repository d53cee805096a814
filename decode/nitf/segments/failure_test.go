package segments

import (
	"errors"
	"testing"

	"tileserver/decode/nitf/nitftest"
)

// failing is a file in memory that cannot be read once.
type failing struct {
	memory
	at, calls int
}

func (f *failing) Peek(offset int64, minLength int) ([]byte, error) {
	f.calls++
	if f.calls == f.at {
		return nil, errReading
	}
	return f.memory.Peek(offset, minLength)
}

// An error of reading is never taken for what a file lacks: wherever it happens, the file is not read.
// Otherwise a storage that fails for a moment would make another picture.
func TestNoErrorOfReadingIsLost(t *testing.T) {
	blanks := []nitftest.Image{{Fields: nitftest.Fields{"IXSHDL": "00000   "}}, {}}
	for name, f := range map[string]nitftest.File{
		"sound":                         {Images: make([]nitftest.Image, 2), Overflow: []nitftest.TRE{{Tag: "FOVER", Data: []byte("1")}}},
		"a short length of the header":  {Images: blanks, Fields: nitftest.Fields{"HL": "000300"}},
		"a long length of the header":   {Images: blanks, Fields: nitftest.Fields{"HL": "000500"}},
		"blanks after a subheader":      {Images: blanks},
		"a wrong length of a subheader": {Images: blanks[1:], Fields: nitftest.Fields{"LISH001": "000001"}},
		"a damaged subheader":           {Images: []nitftest.Image{{Fields: nitftest.Fields{"IM": "??"}}, {Fields: nitftest.Fields{"NBPP": "XX"}}, {}}},
		"a wrong number of images":      {Images: make([]nitftest.Image, 3), Fields: nitftest.Fields{"NUMI": "001"}},
		"a stream":                      streamed(),
	} {
		t.Run(name, func(t *testing.T) {
			data := memory(f.Bytes())
			whole := &failing{memory: data}
			if _, err := Read(whole, DefaultLimits()); err != nil {
				t.Fatal(err)
			}
			for at := 1; at <= whole.calls; at++ {
				if _, err := Read(&failing{memory: data, at: at}, DefaultLimits()); !errors.Is(err, errReading) {
					t.Errorf("without answer %d of %d: got %v", at, whole.calls, err)
				}
			}
		})
	}
}
