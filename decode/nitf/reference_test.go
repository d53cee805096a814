package nitf

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/pool"
	"tileserver/integration/realfiles"
	"tileserver/source/local"
)

// reference is what other software reads from a file.
type reference struct {
	Path         string
	Open         string
	Width        int
	Height       int
	Bands        int
	DType        string
	PixelMD5     string       `json:"pixel_md5"`
	Stats        [][4]float64 `json:"stats"`
	EPSG         any          `json:"epsg"`
	GeoTransform *[6]float64
	GCPs         int             `json:"gcps"`
	GCPList      [][]float64     `json:"gcp_list"`
	Structure    map[string]any  `json:"image_structure"`
	Palette      json.RawMessage `json:"palette"`
	Components   struct {
		Planes []struct {
			Size [2]int
			Bits int
			MD5  string
		}
	}
	Subdatasets []struct {
		PixelMD5 string `json:"pixel_md5"`
	}
}

// testdataFolder returns the folder of real files. With -short, tests that need it are skipped.
func testdataFolder(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED with -short: no real files are read")
	}
	return realfiles.Folder(t, "EXPECTED.jsonl")
}

// references returns what is expected of the files whose paths begin with a prefix.
func references(t *testing.T, folder, prefix string) (all []reference) {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, "EXPECTED.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r reference
		if !strings.Contains(lines.Text(), `"`+prefix) {
			continue
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(r.Path, prefix) {
			all = append(all, r)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// openReal opens a real file.
func openReal(t *testing.T, path string) (*File, error) {
	t.Helper()
	s, err := local.Store{}.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(t.Context(), s, Config{Pool: pool.New(pool.Config{Workers: 2}), Key: "key"})
	if err != nil {
		s.Close()
		return nil, err
	}
	t.Cleanup(func() { f.Close() })
	return f, nil
}
