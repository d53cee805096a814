//go:build unix

package disktier

import (
	"os"
	"syscall"
	"testing"

	"tileserver/source"
)

// Files that hang when they are opened, as on a disk that does not answer: pipes without a writer.
func TestFilesThatHangAreFetched(t *testing.T) {
	folder, data := t.TempDir(), randomBytes(1, oddBytes)
	tier := openTier(t, folder)
	o := newFake(data)
	opened := o.through(t, tier)
	wantBytes(t, opened, data, source.Range{Length: oddBytes})
	tier.flush()
	for _, path := range keptFiles(t, folder) {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skipf("NOT TESTED: pipes cannot be made here: %v", err)
		}
		t.Cleanup(func() { // ends the calls that hang
			if f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0); err == nil {
				f.Close()
			}
		})
	}
	for range 3 {
		wantBytes(t, opened, data, source.Range{Length: oddBytes})
	}
	if calls := len(o.Calls()); calls < 2 || tier.config.Storage.Stats().Hanging == 0 {
		t.Errorf("the object was asked %d times, the storage is %+v", calls, tier.config.Storage.Stats())
	}
}
