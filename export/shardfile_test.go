package export

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/archive"
)

// A bit that has changed in the file of a shard is found, wherever it is.
func TestTornShardsAreFound(t *testing.T) {
	c := config(t)
	failing := &recorder{fails: errBroken}
	c.Create = func(string) (archive.Writer, error) { return failing, nil }
	if _, err := Run(t.Context(), c); !errors.Is(err, errBroken) {
		t.Fatal(err)
	}
	shards := filepath.Join(WorkFolder(c.Out), shardsName)
	entries, err := os.ReadDir(shards)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(shards, entries[0].Name())
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c.Create = createRecorder
	damage := func(change func(data []byte) []byte) {
		t.Helper()
		if err := os.WriteFile(path, change([]byte(string(whole))), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), c); !errors.Is(err, errTorn) || !strings.Contains(err.Error(), entries[0].Name()) {
			t.Errorf("the error is %v", err)
		}
	}
	for _, at := range []int{0, len(whole) / 3, len(whole) - 40, len(whole) - 20, len(whole) - 10, len(whole) - 1} {
		damage(func(data []byte) []byte {
			data[at] ^= 4
			return data
		})
	}
	damage(func(data []byte) []byte { return data[:10] })
	damage(func(data []byte) []byte { return data[:len(data)-1] })
	if err := os.WriteFile(path, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), c); err != nil {
		t.Error(err)
	}
}
