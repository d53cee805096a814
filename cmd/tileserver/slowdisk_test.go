package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tileserver/decode/tiff/tifftest"
	"tileserver/source/sourcetest"
)

// blocksFile returns a file of 16 × 16 blocks, each of 4 KiB in the file.
func blocksFile(t *testing.T) []byte {
	t.Helper()
	data, err := tifftest.File{Images: []tifftest.Image{{
		Width: 1024, Height: 1024, Tiled: true, BlockWidth: 64, BlockHeight: 64,
		Value: func(x, y, _ int) float64 { return float64((x*7 + y*3) % 251) },
	}}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// block returns the address of a view of one block of a layer.
func block(layer string, n int) string {
	x, y := 64*(n%16), 64*(n/16%16)
	return fmt.Sprintf("/layers/%s/view.png?crs=image&bbox=%d,%d,%d,%d&width=64&height=64&rescale=0,255", layer, x, y, x+64, y+64)
}

// While a disk gives 512 bytes a second, so that a block takes eight seconds, and many clients wait for
// it, pictures of another disk are all answered.
func TestLayersBesideASlowDisk(t *testing.T) {
	const clients, pictures = 24, 200
	store := sourcetest.NewStore()
	for _, name := range []string{"nfs/slow.tif", "disk/sound.tif"} {
		store.Put(name, blocksFile(t), time.Hour)
	}
	s := startWith(t, program{disk: store}, append([]string{"serve", "nfs", "disk", "--workers", "2", "--request-timeout", "1m"}, freePorts...)...)
	store.Slow("nfs", 512)
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	var next, waiting, answered atomic.Int64
	for range clients {
		all.Go(func() {
			for ctx.Err() == nil {
				waiting.Add(1)
				request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.maps+block("slow", int(next.Add(1))), nil)
				if err != nil {
					t.Error(err)
					return
				}
				if answer, err := http.DefaultClient.Do(request); err == nil {
					answer.Body.Close()
					answered.Add(1)
				}
				waiting.Add(-1)
			}
		})
	}
	eventually(t, "all clients wait", func() bool { return waiting.Load() == clients })
	before := answered.Load()
	for n := range pictures {
		if status, body := get(t, s.maps+block("sound", n)); status != http.StatusOK {
			t.Fatalf("picture %d: status %d: %s", n, status, body)
		}
	}
	slow := answered.Load() - before
	stop()
	all.Wait()
	t.Logf("beside %d pictures of the sound disk, the slow one gave %d", pictures, slow)
	if slow > pictures/4 {
		t.Errorf("beside %d pictures of the sound disk, the slow one gave %d", pictures, slow)
	}
}
