package scratch

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

func TestAFileHasTheBytesThatWereWrittenInMemoryAndBeyond(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 7))
	for _, memory := range []int64{0, 1, 999, 1 << 20} {
		f := New(t.TempDir(), memory)
		var want []byte
		for range 200 {
			offset, part := random.IntN(5000), make([]byte, random.IntN(700))
			for i := range part {
				part[i] = byte(random.Uint32())
			}
			if end := offset + len(part); end > len(want) {
				want = append(want, make([]byte, end-len(want))...)
			}
			copy(want[offset:], part)
			if n, err := f.WriteAt(part, int64(offset)); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		got := make([]byte, len(want)+1)
		if n, err := f.ReadAt(got, 0); n != len(want) || !errors.Is(err, io.EOF) || !bytes.Equal(got[:n], want) {
			t.Errorf("memory %d: read %d of %d bytes, %v; equal: %t", memory, n, len(want), err, bytes.Equal(got[:n], want))
		}
		if n, err := f.ReadAt(got[:5], int64(len(want))+10); n != 0 || !errors.Is(err, io.EOF) {
			t.Errorf("memory %d: behind the end: %d, %v", memory, n, err)
		}
		if isInMemory := f.file == nil; isInMemory != (memory >= int64(len(want))) {
			t.Errorf("memory %d: in memory: %t", memory, isInMemory)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestNothingIsLeftInTheFolder(t *testing.T) {
	folder := t.TempDir()
	f := New(folder, 10)
	if _, err := f.WriteAt(make([]byte, 11), 0); err != nil || f.file == nil {
		t.Fatal(f.file, err)
	}
	for range 2 {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
		t.Errorf("left: %v, %v", entries, err)
	}
}

func TestAFolderThatIsMissingIsAnErrorWhenItIsNeeded(t *testing.T) {
	f := New(filepath.Join(t.TempDir(), "missing"), 10)
	if _, err := f.WriteAt(make([]byte, 10), 0); err != nil {
		t.Error(err)
	}
	if _, err := f.WriteAt([]byte{1}, 10); err == nil {
		t.Error("bytes were written to a folder that is missing")
	}
}
