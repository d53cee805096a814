package integration

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tileserver/integration/realfiles"
)

// foreignProgram builds the program for arm64, and returns the command line that runs it here.
// Replicas on both processors may run behind one proxy, so their answers must be equal.
func foreignProgram(t *testing.T) []string {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skipf("NOT TESTED: %s/%s does not run programs for linux/arm64", runtime.GOOS, runtime.GOARCH)
	}
	if testing.Short() {
		t.Skip("SKIPPED with -short: the program is not run")
	}
	emulator := find(t, "qemu-aarch64-static")
	path := filepath.Join(t.TempDir(), "tileserver")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-w", "-o", path, "../cmd/tileserver") // as make platforms does, so that little is compiled again
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOARCH=arm64")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building for arm64: %v\n%s", err, output)
	}
	return []string{emulator, path}
}

// TestEveryProcessorMakesTheSameBytes compares the answers of amd64 with those of arm64, which has
// other loops in assembly, and whose compiler fuses multiplications with additions.
func TestEveryProcessorMakesTheSameBytes(t *testing.T) {
	t.Parallel() // it computes while others wait
	foreign := foreignProgram(t)
	folder := t.TempDir()
	pictures := goldens()
	for _, g := range pictures {
		path := writeTIFF(t, folder, g.name+".tif", g.file)
		if notes := beside[g.name]; notes != "" {
			writeFile(t, folder, filepath.Base(path)+".aux.xml", []byte(notes))
		}
	}
	copyReal(t, folder)
	args := []string{"serve", "--state", "", "--rescan", "0", folder}
	servers := []*server{start(t, args...), startAs(t, foreign, args...)}
	var paths []string
	for _, g := range pictures {
		paths = append(paths, strings.ReplaceAll(g.path, "{layer}", g.name))
	}
	layers := strings.Fields(servers[0].layerNames(t))
	if want := len(pictures) + len(realOfManyKinds); len(layers) != want {
		t.Errorf("%d layers are served, want %d", len(layers), want)
	}
	for i, layer := range layers {
		paths = append(paths, pathsOf(layer, i)...)
	}
	compareServers(t, servers, paths)
}

// compareServers sends the same requests to servers of the same files, and compares the answers.
func compareServers(t *testing.T, servers []*server, paths []string) {
	t.Helper()
	good := 0
	for _, path := range paths {
		want := ask(t, http.MethodGet, servers[0].maps+path, nil)
		got := ask(t, http.MethodGet, servers[1].maps+path, nil)
		switch {
		case got.status != want.status:
			t.Errorf("%s: status %d, and %d on the other processor: %.200s", path, want.status, got.status, got.body)
		case !bytes.Equal(got.body, want.body):
			t.Errorf("%s: %d bytes, and %d different ones on the other processor", path, len(want.body), len(got.body))
		case got.header.Get("ETag") != want.header.Get("ETag"):
			t.Errorf("%s: the ETag is %s, and %s on the other processor", path, want.header.Get("ETag"), got.header.Get("ETag"))
		}
		if want.status == http.StatusOK {
			good++
		} else if strings.Contains(path, "bidx=1") {
			t.Errorf("%s: status %d: %s", path, want.status, want.body)
		}
	}
	t.Logf("%d answers are the same, %d of them good", len(paths), good)
}

// looks are query strings for previews of a layer. Together they use each format, kernel, stretch
// and algorithm, and computed values.
var looks = []string{
	"preview.jpg?max_size=120", "preview.jpg?max_size=90&bidx=1&subsampling=444&quality=90",
	"preview.webp?max_size=120", "preview.webp?max_size=90&bidx=1&quality=40", "preview.webp?max_size=90&bidx=1&lossless=true",
	"preview.npy?max_size=70", "preview.tif?max_size=70", "preview.png?max_size=80&depth=16",
	"preview.png?max_size=61&bidx=1&resampling=cubic", "preview.png?max_size=61&bidx=1&resampling=lanczos",
	"preview.png?max_size=61&bidx=1&resampling=average", "preview.png?max_size=61&bidx=1&resampling=nearest",
	"preview.png?max_size=80&bidx=1&stretch=percentile:5,95", "preview.png?max_size=80&bidx=1&stretch=stddev:2",
	"preview.png?max_size=80&bidx=1&stretch=dra&colormap_name=viridis",
	"preview.png?max_size=80&color_formula=gamma+RGB+1.4,+sigmoidal+RGB+8+0.4,+saturation+1.3",
	"preview.png?max_size=80&bidx=1&algorithm=hillshade", "preview.png?max_size=80&bidx=1&algorithm=multihillshade",
	"preview.png?max_size=80&bidx=1&algorithm=slope", "preview.png?max_size=80&bidx=1&algorithm=aspect",
	"preview.png?max_size=80&bidx=1&algorithm=contours", "preview.png?max_size=80&bidx=1&algorithm=relief", "preview.png?max_size=80&bidx=1&algorithm=terrainrgb",
	"preview.npy?max_size=40&expression=" + url.QueryEscape("sqrt(abs(b1))*1.3+sin(b1/7)*exp(-abs(b1)/300)+arctan2(b1,3)/log(b1*b1+2)"),
	"statistics?bidx=1", "legend.png?bidx=1&colormap_name=magma&stretch=minmax",
}

// pathsOf returns a tile and some of the looks of a layer. The looks depend on the layer's index.
func pathsOf(layer string, index int) (paths []string) {
	const looksOfALayer = 5
	paths = append(paths, "/layers/"+layer+"/preview.png?max_size=120", fmt.Sprintf("/tiles/%s/image/%d/0/0.webp", layer, index%3))
	for i := range looksOfALayer {
		paths = append(paths, "/layers/"+layer+"/"+looks[(looksOfALayer*index+i)%len(looks)])
	}
	return paths
}

// realOfManyKinds lists real files: one for each compression that computes in its decoder, and for
// each kind of samples and colors.
var realOfManyKinds = []string{
	"tiff/rio-tiler/cog_rgb_mask.tif", "tiff/rio-tiler/cog_hirise_mars.tif", "tiff/pillow/tiff_tiled_cmyk_jpeg.tif",
	"tiff/martin/usda_naip_512_webp_z5.tif", "tiff/gdal/rgbsmall_LERC_ZSTD_tiled_separate.tif", "tiff/openlayers/elevation-f32.tif",
	"tiff/gdal/n43.tif", "tiff/gdal/cfloat32.tif", "tiff/libtiff.net/tiger-minisblack-float-strip-64.tif", "tiff/libtiff.net/G4S.TIF",
	"tiff/gdal/rgbsmall_LZMA_tiled_separate.tif", "tiff/image-tiff/off_l16.tif", "tiff/image-tiff/ycbcr-cat.tif",
	"tiff/libtiff/ojpeg_single_strip_no_rowsperstrip.tiff", "tiff/rio-tiler/cog_dateline.tif", "tiff/rio-tiler/cog_scale.tif",
	"tiff/imagecodecs/gray.zstd.u2.tif", "jp2k/openjpeg-data/p0_04.j2k", "jp2k/jpylyzer/grok-ht.jhc", "jp2k/openhtj2k/ds1_ht_04_b9.j2k",
	"jp2k/gdal/gtsmall_11_int16.jp2", "jp2k/gdal/stefan_full_rgba.jp2", "jp2k/openjpeg-data/file9.jp2",
	"jp2k/openjph-codestreams/simple_dec_rev53_64x64_yuv.jph", "jp2k/jpylyzer/palettedImage.jp2",
}

// copyReal copies the files of realOfManyKinds into a folder.
func copyReal(t *testing.T, folder string) {
	t.Helper()
	from := realfiles.Folder(t, "jp2k")
	for _, name := range realOfManyKinds {
		data, err := os.ReadFile(filepath.Join(from, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, folder, filepath.Base(name), data)
	}
}
