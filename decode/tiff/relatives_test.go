package tiff

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"tileserver/raster"
)

// TestRelatives compares what belongs to images in the files of other writers: overviews, masks,
// further images, and georeferences.
func TestRelatives(t *testing.T) {
	folder := testdataFolder(t)
	matched := make(map[string]int)
	for _, want := range references(t, folder, "tiff/") {
		f, err := openFile(t, filepath.Join(folder, want.Path))
		if err != nil || f.Images()[0].Unsupported() != nil || want.Open != "ok" {
			continue // TestConformance checks that
		}
		lossy := f.Images()[0].Description().Compression == "jpeg"
		checks := map[string]func() (int, error){
			"geotransforms": func() (int, error) { return compareTransform(f.Images()[0], want) },
			"masks":         func() (int, error) { return compareMask(t, f.Images()[0], want) },
			"pages":         func() (int, error) { return compareImages(t, f, want) },
		}
		if !lossy {
			checks["overviews"] = func() (int, error) { return compareOverviews(t, f.Images()[0], want) }
		}
		for name, check := range checks {
			n, err := check()
			if err != nil {
				t.Errorf("%s: %s: %v", want.Path, name, err)
			}
			matched[name] += n
		}
	}
	t.Log(matched)
	for name, least := range map[string]int{"geotransforms": 286, "masks": 18, "overviews": 82, "pages": 72} {
		if matched[name] < least {
			t.Errorf("%s: %d matched, want at least %d", name, matched[name], least)
		}
	}
}

func compareTransform(m *Image, want reference) (int, error) {
	g := m.Georeference()
	if len(want.GeoTransform) != 6 {
		return 0, nil
	}
	got := []float64{g.Affine.C, g.Affine.A, g.Affine.B, g.Affine.F, g.Affine.D, g.Affine.E}
	for i, w := range want.GeoTransform {
		if !(math.Abs(got[i]-w) <= 1e-9*(1+math.Abs(w))) {
			return 0, fmt.Errorf("got %v, want %v", got, want.GeoTransform)
		}
	}
	return 1, nil
}

// maskedButNotStored has blocks that the mask calls valid but that are not stored. They are nodata
// here and black in the reference.
const maskedButNotStored = "tiff/martin/usda_naip_512_jpeg_z5.tif"

// compareMask compares the validity of the first band with the reference's mask.
func compareMask(t *testing.T, m *Image, want reference) (int, error) {
	if want.MaskMD5 == "" || want.Path == maskedButNotStored {
		return 0, nil
	}
	l := m.Info().Levels[0]
	plane := make([]byte, l.Width*l.Height)
	ids := l.Covering(l.Bounds())
	tiles, err := m.Blocks(t.Context(), 0, ids, []int{0})
	if err != nil {
		return 0, err
	}
	for i, tile := range tiles {
		rect := l.Block(ids[i])
		for y := range tile.Height() {
			row := plane[(rect.Y0+y)*l.Width+rect.X0:][:tile.Width()]
			for x := range row {
				row[x] = raster.Valid
			}
			if v := tile.Validity(0); v != nil {
				copy(row, v[y*tile.Width():])
			}
		}
	}
	if got := checksum([][]byte{plane}); got != want.MaskMD5 {
		return 0, fmt.Errorf("got %s, want %s", got, want.MaskMD5)
	}
	return 1, nil
}

func compareOverviews(t *testing.T, m *Image, want reference) (matched int, err error) {
	for i, md5 := range want.OverviewMD5 {
		for level, l := range m.Info().Levels[1:] {
			if l.Width != want.Overviews[i][0] || l.Height != want.Overviews[i][1] || m.Description().Overviews[level].Compression == "jpeg" {
				continue
			}
			planes, err := planesOf(t, m, level+1)
			if err != nil {
				return matched, err
			}
			if got := checksum(planes); got != md5 {
				return matched, fmt.Errorf("%dx%d: got %s, want %s", l.Width, l.Height, got, md5)
			}
			matched++
		}
	}
	return matched, nil
}

func compareImages(t *testing.T, f *File, want reference) (matched int, err error) {
	if len(want.SubDatasets) == 0 {
		return 0, nil
	}
	if len(want.SubDatasets) != len(f.Images()) {
		return 0, fmt.Errorf("%d images, want %d", len(f.Images()), len(want.SubDatasets))
	}
	for i, image := range want.SubDatasets {
		m := f.Images()[i]
		if m.Unsupported() != nil || image.PixelMD5 == "" {
			continue
		}
		planes, err := planesOf(t, m, 0)
		if err != nil {
			return matched, fmt.Errorf("image %d: %w", i, err)
		}
		if got := checksum(planes); got != image.PixelMD5 {
			return matched, fmt.Errorf("image %d of %dx%d: got %s, want %s", i, image.Width, image.Height, got, image.PixelMD5)
		}
		matched++
	}
	return matched, nil
}
