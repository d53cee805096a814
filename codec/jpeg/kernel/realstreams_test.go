package kernel_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"tileserver/codec/jpeg"
	"tileserver/codec/jpeg/decoder"
	"tileserver/integration/realfiles"
)

// realStreams returns whole pictures of the streams with restart intervals in real files.
func realStreams(t *testing.T) (requests []request) {
	t.Helper()
	root := filepath.Join(realfiles.Folder(t, "nitf"), "nitf")
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
	if left := expect(t, twin, requests); left > 0 || len(requests) < 100 {
		t.Errorf("%d of %d real streams are left to the cores", left, len(requests))
	}
}
