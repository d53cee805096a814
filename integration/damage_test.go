package integration

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

const damageHeader = "Tileserver-Damage"

// A TIFF without overviews whose second half is cut off shows its first half at every level, and
// reports the loss. The log has a single line about it, however many requests come.
func TestHalfATIFFIsServed(t *testing.T) {
	folder := t.TempDir()
	path := writeTIFF(t, folder, "half.tif", tifftest.File{COG: true, Images: []tifftest.Image{{
		Width: 640, Height: 512, Samples: 3, Tiled: true, BlockWidth: 64, BlockHeight: 64, Compression: tifftest.Deflate,
		Value: func(x, y, band int) float64 { return float64(50 + (x*y+band)%200) },
	}}})
	info, err := os.Stat(path)
	if err == nil {
		err = os.Truncate(path, info.Size()/2)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, "serve", folder)
	for range 3 {
		got := get(t, s.maps+"/layers/half/preview.png?max_size=40")
		if header := got.header.Get(damageHeader); got.status != http.StatusOK || !strings.HasPrefix(header, "blocks=4") {
			t.Errorf("status %d, damage header %q", got.status, header)
		}
	}
	picture := getPicture(t, s.maps+"/layers/half/preview.png?max_size=40")
	if _, _, _, top := picture.At(20, 5).RGBA(); top != 0xffff {
		t.Errorf("the upper half has alpha %#x", top)
	}
	if _, _, _, bottom := picture.At(20, picture.Bounds().Dy()-5).RGBA(); bottom != 0 {
		t.Errorf("the lower half has alpha %#x", bottom)
	}
	if got := get(t, s.maps+"/layers/half/view.png?crs=image&bbox=0,0,128,128&width=128&height=128"); got.status != http.StatusOK || got.header.Get(damageHeader) != "" {
		t.Errorf("a tile without damage: status %d, damage header %q", got.status, got.header.Get(damageHeader))
	}
	for _, address := range []string{"/layers/half/view.png?crs=image&bbox=0,400,128,500&width=64&height=50", "/layers/half/point/9,450?crs=image"} {
		if status, code, _ := getError(t, s.maps+address); status != http.StatusInternalServerError || code != "damaged" {
			t.Errorf("%s: status %d, %s", address, status, code)
		}
	}
	checkToldDamage(t, s)
}

// checkToldDamage checks what the server reports about the damage outside of pictures.
func checkToldDamage(t *testing.T, s *server) {
	t.Helper()
	document := getJSON[struct {
		Damage struct {
			Parts map[string]int
			Notes []string
		}
	}](t, s.maps+"/layers/half")
	if document.Damage.Parts["blocks"] < 40 || !strings.HasPrefix(document.Damage.Notes[0], "block 0,4 of directory 1: ") {
		t.Errorf("the layer reports damage %+v", document.Damage)
	}
	statistics := getJSON[map[string]struct {
		Min   float64
		Count int
	}](t, s.maps+"/layers/half/statistics")
	if b := statistics["b1"]; b.Min < 50 || b.Count < 1 {
		t.Errorf("statistics count lost pixels: %+v", b)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if n := strings.Count(s.log.String(), "damaged file, serving its intact parts"); n != 1 {
		t.Errorf("the log has %d lines about the damage, want one:\n%s", n, s.log.String())
	}
}
