package tiff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// otherFacts maps files to the fact that is known to differ from the reference.
var otherFacts = map[string]string{
	// One code is the successor of a retired one; the other has heights added.
	"tiff/geotools/bogot.tiff":          "epsg",
	"tiff/gdal/epsg4979_geotiff1_1.tif": "epsg",
	"tiff/gdal/int24.tif":               "type", // it has a sign, which the reference drops
}

// checkFacts compares what a file says of itself with the reference. The error names the
// difference.
func checkFacts(m *Image, want reference) error {
	var differences, names []string
	for _, fact := range facts(m, want) {
		if fact.got != fact.want {
			names = append(names, fact.name)
			differences = append(differences, fmt.Sprintf("%s is %q, want %q", fact.name, fact.got, fact.want))
		}
	}
	if known := otherFacts[want.Path]; strings.Join(names, " ") != known {
		return fmt.Errorf("listed as differing in %q, but: %s; notes %q", known, strings.Join(differences, ", "), m.Description().Notes)
	}
	return nil
}

type fact struct{ name, got, want string }

func facts(m *Image, want reference) []fact {
	info, d := m.Info(), m.Description()
	return []fact{
		{"size", fmt.Sprint(d.Width, d.Height), fmt.Sprint(want.Width, want.Height)},
		{"bands", fmt.Sprint(len(info.Bands)), fmt.Sprint(cmp.Or(want.Raw.Bands, want.Bands))},
		{"type", info.Type.String(), typeOfReference(want.DType)},
		{"compression", d.Compression, compressionOfReference(want.Structure.Compression)},
		{"block", fmt.Sprint(d.BlockWidth, d.BlockHeight), wantedBlock(d, want)},
		{"overviews", overviewsOf(m), sortedOverviews(want.Overviews)},
		{"epsg", codeOf(m, want), fmt.Sprintf("EPSG:%d", want.EPSG)},
		{"nodata", noDataOf(m), noDataOfReference(want.NoData)},
	}
}

// typeOfReference converts the reference's type name to numpy's.
func typeOfReference(name string) string {
	return strings.NewReplacer(
		"Byte", "uint8", "CInt16", "complex_int16", "CInt32", "complex_int32", "CFloat32", "complex64", "CFloat64", "complex128",
		"UInt", "uint", "Int", "int", "Float", "float",
	).Replace(name)
}

// compressionOfReference converts the reference's compression name. It also drops what the
// reference knows of the codec inside.
func compressionOfReference(name string) string {
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "YCbCr "), "_")
	switch name {
	case "":
		return "none"
	case "CCITTRLE":
		return "ccitt rle"
	case "CCITTFAX3", "CCITTFAX4":
		return "ccitt fax " + name[len(name)-1:]
	case "OJPEG":
		return "old jpeg"
	}
	return strings.ToLower(name)
}

// wantedBlock returns the block size of the reference, unless the reference split a single strip or
// converted the file's colors.
func wantedBlock(d Description, want reference) string {
	if want.Raw.PixelMD5 != "" || !d.Tiled && d.BlockHeight == d.Height {
		return fmt.Sprint(d.BlockWidth, d.BlockHeight)
	}
	return fmt.Sprint(want.Block[0], want.Block[1])
}

func overviewsOf(m *Image) string {
	var sizes [][]int
	for _, l := range m.Info().Levels[1:] {
		sizes = append(sizes, []int{l.Width, l.Height})
	}
	return fmt.Sprint(sizes)
}

// sortedOverviews sorts sizes from the largest down; the reference keeps the order of the file.
func sortedOverviews(sizes [][]int) string {
	sizes = slices.Clone(sizes)
	slices.SortFunc(sizes, func(a, b []int) int { return b[0] - a[0] })
	return fmt.Sprint(sizes)
}

// codeOf returns the code of the CRS if the reference has one.
func codeOf(m *Image, want reference) string {
	g := m.Georeference()
	switch {
	case want.EPSG == 0:
		return "EPSG:0"
	case g.CRS == nil:
		return fmt.Sprintf("none: %v", g.CRSError)
	}
	return g.CRS.Code()
}

func noDataOf(m *Image) string {
	if d := m.Description(); d.HasNoData {
		return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%.6g", d.NoData), "+"))
	}
	return "none"
}

func noDataOfReference(value any) string {
	switch v := value.(type) {
	case float64:
		return fmt.Sprintf("%.6g", v)
	case string:
		return v
	}
	return "none"
}
