package kernel_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"tileserver/codec/jpeg"
	"tileserver/codec/jpeg/decoder"
)

// realStreams returns whole pictures of the streams with restart intervals in real files. Without the files
// the test is skipped, or fails if everything must be tested.
func realStreams(t *testing.T) (requests []request) {
	t.Helper()
	folder := os.Getenv("TILESERVER_TESTDATA")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "..", "shared", "testdata")
	}
	root := filepath.Join(folder, "nitf")
	if _, err := os.Stat(root); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("no test data: %v", err)
		}
		t.Skipf("SKIPPED, NO REAL FILES WERE READ: %v", err)
	}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		requests = append(requests, streamsIn(data)...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return requests
}

// streamsIn returns the streams with restart intervals in data.
func streamsIn(data []byte) (requests []request) {
	var s jpeg.Splitter
	s.Add(data)
	var d decoder.Decoder
	for _, e := range s.Streams {
		stream := data[e.Offset:][:e.Length]
		frame, err := d.Open(stream, nil)
		if err != nil {
			continue
		}
		if _, ok := d.Intervals(frame.Height); ok {
			requests = append(requests, request{stream, frame.Width, frame.Height})
		}
	}
	return requests
}

func TestRealStreams(t *testing.T) {
	requests := realStreams(t)
	left := expect(t, twin, requests)
	t.Logf("%d streams, of which %d are left to the cores", len(requests), left)
}
