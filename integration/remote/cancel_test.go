package remote

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tileserver/decode/tiff/tifftest"
)

// The image of this test: blocks of 1 MiB, of which each tile of the full resolution needs one.
const (
	wideBlock  = 1024
	wideBlocks = 34 // of a row and of a column
	wideHeader = 1 << 20
)

// wideFile is a file of a GiB, of which only the header is in memory. All of its pixels are 0.
type wideFile struct{ header []byte }

func newWideFile(t *testing.T) *wideFile {
	t.Helper()
	const tileOffsets, tileByteCounts, blockBytes = 324, 325, wideBlock * wideBlock
	offsets, sizes := make([]uint64, wideBlocks*wideBlocks), make([]uint64, wideBlocks*wideBlocks)
	for i := range offsets {
		offsets[i], sizes[i] = wideHeader+uint64(i)*blockBytes, blockBytes
	}
	header, err := tifftest.File{BigTIFF: true, Images: []tifftest.Image{{
		Width: wideBlocks * wideBlock, Height: wideBlocks * wideBlock, Tiled: true, BlockWidth: wideBlock, BlockHeight: wideBlock,
		Sparse: func(int, int) bool { return true }, Value: func(int, int, int) float64 { return 0 },
		Tags: []tifftest.Tag{{ID: tileOffsets, Value: offsets}, {ID: tileByteCounts, Value: sizes}},
	}}}.Encode()
	if err != nil || len(header) > wideHeader {
		t.Fatalf("a header of %d bytes, %v", len(header), err)
	}
	return &wideFile{header}
}

// ReadAt reads the header and zeros.
func (f *wideFile) ReadAt(p []byte, offset int64) (int, error) {
	clear(p)
	if offset < int64(len(f.header)) {
		copy(p, f.header[offset:])
	}
	return len(p), nil
}

func (f *wideFile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("ETag", `"wide"`)
	size := int64(wideHeader + wideBlocks*wideBlocks*wideBlock*wideBlock)
	http.ServeContent(w, r, "wide.tif", time.Time{}, io.NewSectionReader(f, 0, size))
}

// Over a slow line, the requests of clients that leave end, so that hardly anything is read in vain.
func TestNothingIsReadForClientsThatLeft(t *testing.T) {
	t.Parallel()
	const requests, atATime = 1000, 40
	between := newProxyBefore(t, newWideFile(t))
	far := serve(t, fmt.Sprintf("cache: 0\npaths: ['%s/wide.tif']\n", between.URL))
	between.answerBy(slowly(8<<10, 50*time.Millisecond))
	between.sent.Store(0)
	var next, finished atomic.Int64
	var asking sync.WaitGroup
	for range atATime {
		asking.Go(func() {
			for i := next.Add(1) - 1; i < requests; i = next.Add(1) - 1 {
				ctx, leave := context.WithTimeout(t.Context(), 100*time.Millisecond)
				x, y := 4*(i%wideBlocks)+1, 4*(i/wideBlocks)+1
				if _, err := get(ctx, fmt.Sprintf("%s/tiles/wide/image/%d/%d/%d.png", far.maps, wideZoom, x, y)); err == nil {
					finished.Add(1)
				}
				leave()
			}
		})
	}
	asking.Wait()
	eventually(t, "the server is asked for nothing more", between.isIdle)
	wanted, sent := int64(requests*wideBlock*wideBlock), between.sent.Load()
	t.Logf("%d requests read %d bytes of %d, and %d were answered", len(between.askedSince()), sent, wanted, finished.Load())
	if sent == 0 || sent*20 > wanted {
		t.Errorf("%d bytes were read of %d that nobody waited for", sent, wanted)
	}
}

// wideZoom is the zoom of the full resolution.
const wideZoom = 8
