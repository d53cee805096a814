package nitf

import (
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tileserver/decode/container"
	"tileserver/raster"
)

// rejected maps the files that are not read to the reason.
var rejected = map[string]string{
	// They have no image.
	"nitf/imaging-nitf/U_1114A.NTF":       "a NITF 2.0 file without images; it has 1 text",
	"nitf/imaging-nitf/i_3051e.ntf":       "without images; it has 1 graphic",
	"nitf/imaging-nitf/i_3052a.ntf":       "without images; it has 1 graphic",
	"nitf/imaging-nitf/i_3060a.ntf":       "without images; it has 1 graphic",
	"nitf/imaging-nitf/i_3063f.ntf":       "without images; it has 1 graphic",
	"nitf/imaging-nitf/i_3068a.ntf":       "without images; it has 1 graphic",
	"nitf/imaging-nitf/ns3073a.nsf":       "without images; it has 1 graphic",
	"nitf/imaging-nitf/ns3101b.nsf":       "without images; it has 1 graphic",
	"nitf/imaging-nitf/test_blank.ntf":    "without images; it has only a header",
	"nitf/imaging-nitf/test_des_read.ntf": "without images; it has 1 data extension",
	"nitf/nitro/test_blank.ntf":           "without images; it has only a header",
	"nitf/gdal/ns3114a.nsf":               "a NSIF 1.0 file without images; it has 1 text",
	"nitf/gdal/U_0002A.NTF":               "NITF 1.1", // without images too

	// They are cut off, and the reference cannot read them either.
	"nitf/imaging-nitf/GHSarNITF20_good.ntf": "the file ends before the pixels",
	"nitf/imaging-nitf/GHSarNITF21_good.ntf": "the file ends before the pixels",
	"nitf/gdal/testtest.on9":                 "the pixels begin at 0, within tables of 10 bytes",
}

// disputed maps the files for which the reference has other pixels to the reason.
var disputed = map[string]string{
	"nitf/imaging-nitf/U_1125C.NTF": "the reference takes the quantizers of a stream without tables row by row",
}

// sameCodestreams maps files whose pixels the reference cannot read, or shows as another type, to
// the files with the same codestream, whose components it has.
var sameCodestreams = map[string]string{
	"nitf/imaging-nitf/p0_03a.ntf":  "jp2k/openjpeg-data/p0_03.j2k",
	"nitf/imaging-nitf/p0_06a.ntf":  "jp2k/openjpeg-data/p0_06.j2k",
	"nitf/imaging-nitf/p0_13xa.ntf": "jp2k/openjpeg-data/p0_13.j2k",
	"nitf/imaging-nitf/p0_15a.ntf":  "jp2k/openjpeg-data/p0_03.j2k",
	"nitf/imaging-nitf/p1_01a.ntf":  "jp2k/openjpeg-data/p1_01.j2k",
}

// TestConformance reads all files of other writers, compares their facts and pixels with what other
// software read, and counts the outcomes.
func TestConformance(t *testing.T) {
	folder := testdataFolder(t)
	outcomes := make(map[string]int)
	for _, want := range references(t, folder, "nitf/") {
		outcome, err := compareFile(t, folder, want)
		outcomes[outcome]++
		reason, isListed := rejected[want.Path]
		switch {
		case outcome == "mismatched":
			t.Errorf("%s: %v", want.Path, err)
		case outcome == "rejected" && (!isListed || !strings.Contains(err.Error(), reason)):
			t.Errorf("%s: %v", want.Path, err)
		case outcome != "rejected" && isListed:
			t.Errorf("%s is %s, but is listed as rejected with %q", want.Path, outcome, reason)
		}
	}
	t.Log(outcomes)
	for _, path := range slices.Sorted(maps.Keys(rejected)) {
		t.Logf("rejected: %s: %s", path, rejected[path])
	}
}

var errMismatch = errors.New("the pixels are others")

// compareFile reads a file and compares it with the reference.
func compareFile(t *testing.T, folder string, want reference) (outcome string, err error) {
	f, err := openReal(t, filepath.Join(folder, want.Path))
	if err != nil {
		return "rejected", err
	}
	m := segmentOf(t, f, 0)
	if err := m.Unsupported(); err != nil {
		if err := comparePlace(m, want); err != nil {
			return "mismatched", err
		}
		return "rejected", err
	}
	planes, err := planesOf(t, m)
	if err != nil {
		return "rejected", err
	}
	if other := sameCodestreams[want.Path]; other != "" {
		return compareComponents(t, folder, other, m, planes)
	}
	if err := compareShape(m, want); err != nil {
		return "mismatched", err
	}
	if err := comparePlace(m, want); err != nil {
		return "mismatched", err
	}
	for i, sub := range want.Subdatasets {
		more, err := planesOf(t, segmentOf(t, f, i))
		if err != nil || checksum(more) != sub.PixelMD5 {
			return "mismatched", fmt.Errorf("image %d: %v: %s, want %s", i+1, err, checksum(more), sub.PixelMD5)
		}
	}
	switch got := checksum(planes); {
	case want.PixelMD5 == "":
		return "without reference", nil
	case got == want.PixelMD5:
		return "exact", nil
	case disputed[want.Path] != "":
		return "disputed", nil
	case isLossy(f.structure.Images[0].Compression):
		err := compareStatistics(m, planes, want)
		return outcomeOf("close", err), err
	default:
		return "mismatched", fmt.Errorf("%w: %s, want %s: %+v", errMismatch, got, want.PixelMD5, statistics(m.Info().Type, planes))
	}
}

// compareComponents compares an image with the components of the same codestream in another file,
// as far as those are as large as the image.
func compareComponents(t *testing.T, folder, path string, m container.Image, planes [][]byte) (outcome string, err error) {
	all := references(t, folder, path)
	if len(all) != 1 {
		t.Fatalf("%d references of %s", len(all), path)
	}
	l, compared := m.Info().Levels[0], 0
	for i, want := range all[0].Components.Planes {
		if want.Size != [2]int{l.Width, l.Height} || want.Bits <= 8 != (m.Info().Type.Size() == 1) {
			continue
		}
		compared++
		if got := checksum(planes[i : i+1]); got != want.MD5 && !isContested(path, i) {
			return "mismatched", fmt.Errorf("%w: component %d is %s, want %s", errMismatch, i, got, want.MD5)
		}
	}
	if compared == 0 {
		return "mismatched", errors.New("no component has been compared")
	}
	return "exact", nil
}

// isContested reports whether the reference decodes a component otherwise than the standard's own
// image.
func isContested(path string, component int) bool {
	return path == "jp2k/openjpeg-data/p0_06.j2k" && component == 0
}

// segmentOf returns the image of a segment alone, even if it is a part of a picture. The reference
// composes none.
func segmentOf(t *testing.T, f *File, number int) container.Image {
	t.Helper()
	m, err := f.newImage(t.Context(), number)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func outcomeOf(good string, err error) string {
	if err != nil {
		return "mismatched"
	}
	return good
}

// isLossy reports whether decoders of a compression may differ.
func isLossy(compression string) bool {
	return slices.Contains([]string{"C3", "M3", "C8", "M8", "I1"}, compression)
}

// dataTypes are the names that the references have for types.
var dataTypes = map[raster.DataType]string{
	raster.Uint8: "Byte", raster.Int8: "Int8", raster.Uint16: "UInt16", raster.Int16: "Int16", raster.Uint32: "UInt32",
	raster.Int32: "Int32", raster.Float32: "Float32", raster.Float64: "Float64", raster.Complex64: "CFloat32",
}

func compareShape(m container.Image, want reference) error {
	info, l := m.Info(), m.Info().Levels[0]
	bands, dataType := len(info.Bands), info.Type
	if isPair := dataType.IsComplex() && want.Bands == 2*bands; isPair {
		bands, dataType = want.Bands, dataType.Part()
	}
	if l.Width != want.Width || l.Height != want.Height || bands != want.Bands || dataTypes[dataType] != want.DType {
		return fmt.Errorf("%dx%d pixels of %d bands of %v, want %dx%d of %d of %s", l.Width, l.Height, bands, dataType, want.Width, want.Height, want.Bands, want.DType)
	}
	return nil
}

// comparePlace compares the place of an image on earth.
func comparePlace(m container.Image, want reference) error {
	g := m.Georeference()
	if want.GeoTransform != nil {
		got := [6]float64{g.Affine.C, g.Affine.A, g.Affine.B, g.Affine.F, g.Affine.D, g.Affine.E}
		pixel := math.Abs(want.GeoTransform[1]) + math.Abs(want.GeoTransform[2])
		for i := range got {
			if !g.HasAffine || math.Abs(got[i]-want.GeoTransform[i]) > 1e-6*pixel {
				return fmt.Errorf("the transform is %v, want %v", got, *want.GeoTransform)
			}
		}
	}
	for i, p := range want.GCPList {
		if m.Unsupported() == nil && len(g.ControlPoints) != len(want.GCPList) {
			return fmt.Errorf("control points %v, want %v", g.ControlPoints, want.GCPList)
		}
		c := g.ControlPoints[i]
		for j, v := range []float64{c.Column, c.Row, c.X, c.Y} {
			if math.Abs(v-p[j]) > 1e-9*math.Abs(p[j]) {
				return fmt.Errorf("control points %v, want %v", g.ControlPoints, want.GCPList)
			}
		}
	}
	if code, ok := want.EPSG.(float64); ok && (g.CRS == nil || g.CRS.Code() != fmt.Sprintf("EPSG:%v", code)) {
		return fmt.Errorf("the reference system is %v, want EPSG:%v", g.CRS, code)
	}
	return nil
}

// planesOf returns the samples of all bands. Complex ones are given as two bands.
func planesOf(t *testing.T, m container.Image) ([][]byte, error) {
	t.Helper()
	l := m.Info().Levels[0]
	ids := l.Covering(l.Bounds())
	tiles, err := m.Blocks(t.Context(), 0, ids, nil)
	if err != nil {
		return nil, err
	}
	s := raster.NewStitcher(m.Info().Type, l.Bounds(), len(m.Info().Bands))
	for i, tile := range tiles {
		if tile.Damage().IsTotal() {
			return nil, errors.New(tile.Damage().Losses()[0].Text)
		}
		s.Put(tile, l.Block(ids[i]))
	}
	whole := s.Freeze()
	var planes [][]byte
	for band := range whole.Bands() {
		planes = append(planes, splitParts(whole.Plane(band), whole.Type())...)
	}
	return planes, nil
}

// splitParts returns the real and the imaginary parts of a plane of complex samples, or the plane.
func splitParts(plane []byte, t raster.DataType) [][]byte {
	if !t.IsComplex() {
		return [][]byte{plane}
	}
	parts, size := make([][]byte, 2), t.Size()/2
	for i := 0; i < len(plane); i += size {
		parts[i/size%2] = append(parts[i/size%2], plane[i:i+size]...)
	}
	return parts
}

func checksum(planes [][]byte) string {
	digest := md5.New()
	for _, plane := range planes {
		digest.Write(plane)
	}
	return hex.EncodeToString(digest.Sum(nil))
}

// statistics returns the minimum, maximum, mean and deviation of unsigned samples.
func statistics(t raster.DataType, planes [][]byte) (all [][4]float64) {
	for _, plane := range planes {
		low, high, sum, squares, n := math.Inf(1), math.Inf(-1), 0., 0., 0.
		for i := 0; i < len(plane); i += t.Size() {
			v := float64(plane[i])
			if t == raster.Uint16 {
				v += 256 * float64(plane[i+1])
			}
			low, high, sum, squares, n = min(low, v), max(high, v), sum+v, squares+v*v, n+1
		}
		mean := sum / n
		all = append(all, [4]float64{low, high, mean, math.Sqrt(max(squares/n-mean*mean, 0))})
	}
	return all
}

func compareStatistics(m container.Image, planes [][]byte, want reference) error {
	for b, got := range statistics(m.Info().Type, planes) {
		for i, tolerance := range []float64{8, 8, 0.5, 1} {
			if math.Abs(got[i]-want.Stats[b][i]) > tolerance {
				return fmt.Errorf("%w: min, max, mean and deviation of band %d are %v, want %v", errMismatch, b+1, got, want.Stats[b])
			}
		}
	}
	return nil
}
