package integration

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/integration/realfiles"
)

// validating is a program that prints what GDAL finds wrong with files as COGs.
const validating = `import sys
from osgeo_utils.samples.validate_cloud_optimized_geotiff import validate
for path in sys.argv[1:]:
    warnings, errors, _ = validate(path, full_check=True)
    if warnings + errors:
        print(path, warnings + errors)
`

// Files of all formats become COGs that GDAL finds nothing wrong with, and that have the same samples.
func TestPyramidsOfRealFilesAreValidAndHaveTheirPixels(t *testing.T) {
	folder, to := realfiles.Folder(t, "MANIFEST.tsv"), t.TempDir()
	var written []string
	for i, name := range []string{
		"tiff/gdal/byte_NONE.tif", "tiff/gdal/byte_gcp_pixelispoint.tif", "tiff/gdal/float32_LZW_predictor_3.tif",
		"tiff/gdal/int16_big_endian.tif", "tiff/gdal/mandrilmini_12bitjpeg.tif", "tiff/gdal/rgbsmall_JPEG_ycbcr.tif",
		"tiff/gdal/rgbsmall_uint16_LZW_predictor_2.tif", "tiff/gdal/stats_nodata_posinf_msvc.tif",
		"tiff/gdal/test3_with_mask_1bit_and_ovr.tif", "tiff/pillow/tiff_tiled_cmyk_jpeg.tif", "tiff/rioxarray/test_rpcs.tif",
		"jp2k/gdal/byte_point.jp2", "jp2k/gdal/513x513.jp2", "jp2k/gdal/int16.jp2", "nitf/gdal/test_jp2_ecw33.ntf",
	} {
		in, out := filepath.Join(folder, name), filepath.Join(to, string(rune('a'+i))+".tif")
		runPyramid(t, "pyramid", in, out)
		runPyramid(t, "read", in, "-o", out+".want")
		runPyramid(t, "read", out, "-o", out+".got")
		if !bytes.Equal(contentOf(t, out+".want"), contentOf(t, out+".got")) {
			t.Errorf("%s: the samples differ", name)
		}
		written = append(written, out)
	}
	const python = "/usr/bin/python3" // that of the system has GDAL
	if err := exec.Command(python, "-c", "import osgeo_utils").Run(); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("SKIPPED, NOTHING WAS VALIDATED: no GDAL: ", err)
	}
	output, err := exec.Command(python, append([]string{"-W", "ignore", "-c", validating}, written...)...).Output()
	if err != nil || len(output) > 0 {
		t.Errorf("%v: %s", err, output)
	}
}

func runPyramid(t *testing.T, args ...string) {
	t.Helper()
	if output, err := exec.Command(program(t), args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, output)
	}
}

func contentOf(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
