package fire

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tileserver/decode/tiff/tifftest"
)

// side is the width and height of the image under attack, in blocks that are not of its size.
const side = 2000

// writeNoise writes an image that no format can compress.
func writeNoise(t *testing.T, folder string) (path string) {
	t.Helper()
	noise := func(x, y, band int) float64 {
		v := uint32(x+2003*(y+1999*band)) * 2654435761
		v = (v ^ v>>15) * 2246822519
		return float64((v ^ v>>13) >> 24)
	}
	data, err := tifftest.File{Images: []tifftest.Image{{
		Width: side, Height: side, Samples: 3, Photometric: tifftest.RGB, Tiled: true, BlockWidth: 512, BlockHeight: 512, Value: noise,
	}}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(folder, "layer.tif")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// link links a file under further names, of which each is a layer.
func link(t *testing.T, path string, count int) {
	t.Helper()
	for i := range count {
		if err := os.Link(path, filepath.Join(filepath.Dir(path), fmt.Sprintf("layer%d.tif", i))); err != nil {
			t.Fatal(err)
		}
	}
}

// mixedView returns the address of a view of a layer, another one for each number, in all formats and
// sizes. Most are large and quickly made.
func mixedView(layer string, number int) string {
	file := []string{"npy?", "png?", "npy?", "tif?", "npy?", "jpg?quality=100&", "npy?", "tif?", "npy?", "webp?lossless=true&"}[number%10]
	size := []int{1500, 1900, 1500, 1450, 256, 1800, 640, 4096, 1500, 1350, 1024}[number%11]
	return sizedView(layer, number, file, size)
}

// sizedView returns the address of a view at the resolution of the image, if that is large enough.
func sizedView(layer string, number int, file string, size int) string {
	shown := min(size, 1900)
	left, top := number*7%(side-shown), number*3%(side-shown)
	return fmt.Sprintf("/layers/%s/view.%scrs=image&resampling=nearest&bbox=%d,%d,%d,%d&width=%d&height=%d",
		layer, file, left, top, left+shown, top+shown, size, size)
}

const (
	mebibyte = 1 << 20

	// besideBudgets is what the documents allow the process besides its budgets.
	besideBudgets = 100 * mebibyte
)

// checkPeak fails the test if the process had more memory than its budgets allow.
func (s *server) checkPeak(t *testing.T, budgets int64) {
	t.Helper()
	peak, bound := s.peakBytes(t), budgets+besideBudgets
	t.Logf("at most %d MiB of %d", peak/mebibyte, bound/mebibyte)
	if peak > bound {
		t.Errorf("the process had %d MiB; its budgets and what is beside them are %d MiB", peak/mebibyte, bound/mebibyte)
	}
}

// Whatever clients do with their answers, the process keeps within its budgets, and a tile that is
// cached is answered.
func TestMemoryIsBoundedWhateverClientsDo(t *testing.T) {
	t.Parallel() // most clients are slow, and each server has its own process
	const sum = (64 + 64 + 192 + 64) * mebibyte
	budgets := []string{"--cache", "64MiB", "--in-flight", "64MiB", "--rendering", "192MiB", "--sending", "64MiB"}
	for _, layers := range []int{1, 2000} {
		t.Run(fmt.Sprint(layers, " layers"), func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			link(t, writeNoise(t, folder), layers-1)
			s := start(t, append([]string{"serve", folder}, budgets...)...)
			stop := s.watch(t, "/tiles/layer/image/0/0/0.jpg")
			for _, clients := range []int{1, 16, 64, 256} {
				lasting := time.Second/2 + time.Duration(clients)*time.Second/60
				asked := s.attack(clients, lasting, func(number int) string {
					if layers == 1 {
						return mixedView("layer", number)
					}
					return mixedView(fmt.Sprint("layer", number%(layers-1)), number)
				})
				t.Logf("%d clients asked %d times; at most %d MiB", clients, asked, s.peakBytes(t)/mebibyte)
			}
			answers, longest := stop()
			t.Logf("a cached tile was answered %d times within %v", answers, longest)
			s.checkPeak(t, sum)
		})
	}
}

// Of many clients that read nothing, as many get an answer as the budget of answers has bytes for. The
// others hear that the server is busy, however fast it is.
func TestAnswersThatNobodyReadsAreBounded(t *testing.T) {
	t.Parallel() // the clients wait

	const clients, answerBytes = 100, 4 * 1500 * 1500 // 860 MiB in all
	const cache, inFlight, rendering, sending = 32, 64, 192, 64
	folder := t.TempDir()
	writeNoise(t, folder)
	s := start(t, "serve", folder, "--cache", mebibytes(cache), "--in-flight", mebibytes(inFlight), "--rendering", mebibytes(rendering),
		"--sending", mebibytes(sending), "--request-timeout", "10s", "--send-allowance", "10m")
	var all sync.WaitGroup
	var answered, refused atomic.Int64
	for number := range clients {
		all.Go(func() {
			switch status := s.keep(t, sizedView("layer", number, "npy?", 1500)); status {
			case http.StatusOK:
				answered.Add(1)
			case http.StatusServiceUnavailable:
				refused.Add(1)
			default:
				t.Errorf("client %d: status %d", number, status)
			}
		})
	}
	all.Wait()
	t.Logf("%d clients were answered, %d refused", answered.Load(), refused.Load())
	if held := answered.Load() * answerBytes; held == 0 || held > sending*mebibyte {
		t.Errorf("%d clients have answers of %d MiB, which they do not read", answered.Load(), held/mebibyte)
	}
	s.checkPeak(t, (cache+inFlight+rendering+sending)*mebibyte)
}

func mebibytes(n int) string { return fmt.Sprint(n, "MiB") }

// The largest pictures of the defaults have their memory, too.
func TestMemoryOfTheLargestPicturesIsBounded(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	writeNoise(t, folder)
	s := start(t, "serve", folder, "--cache", "64MiB", "--in-flight", "64MiB", "--rendering", "640MiB", "--sending", "128MiB")
	s.attack(16, 6*time.Second, func(number int) string {
		return sizedView("layer", number, []string{"npy?", "png?", "tif?", "jpg?", "webp?"}[number%5], 4096)
	})
	s.checkPeak(t, (64+64+640+128)*mebibyte)
}
