package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tileserver/cmd/tileserver/info"
	"tileserver/decode/rpc"
	"tileserver/integration/realfiles"
)

// expected is what the reference software reports about a file without its side files.
type expected struct {
	Path, Open   string
	Block        []int
	Overviews    [][]int
	GeoTransform []float64
	ColorInterp  []string
	Palette      int
	MaskFlags    any
	ScaleOffset  [][2]*float64 `json:"scale_offset"`
	GCPs         int
	GCPEPSG      int          `json:"gcp_epsg"`
	GCPList      [][4]float64 `json:"gcp_list"`
	RPC          map[string]string
	SubDatasets  []expectedPage
	Structure    map[string]string `json:"image_structure"`
	Raw          *expectedPage
	TIFF         struct {
		ByteOrder string
		BigTIFF   bool
	}
}

type expectedPage struct {
	Width, Height, Bands int
	DType                any
}

func readExpected(t *testing.T, folder string) []expected {
	t.Helper()
	file, err := os.Open(filepath.Join(folder, "EXPECTED.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []expected
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e expected
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(e.Path, "tiff/") && e.Open == "ok" {
			all = append(all, e)
		}
	}
	return all
}

// otherwise lists known differences between info and the reference: fields by file, with the
// reason.
var otherwise = map[string]string{
	// There are meanings for more extra samples than there are extra samples; the reference takes the last ones.
	"tiff/gdal/6band_wrong_number_extrasamples.tif": "colors",

	// The reference has no word for floating point numbers of which the lowest is white.
	"tiff/gdal/float32_minwhite.tif": "colors",
}

// TestInfoAgreesWithTheReference compares fields that TestInfoAgreesWithTheManifest does not.
func TestInfoAgreesWithTheReference(t *testing.T) {
	folder := realfiles.Folder(t, "MANIFEST.tsv")
	counts := make(map[string]int)
	for _, want := range readExpected(t, folder) {
		text := mustRun(t, "info", "--json", filepath.Join(folder, filepath.FromSlash(want.Path)))
		var got info.Description
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%s: %v", want.Path, err)
		}
		var differences []string
		for fact, compare := range comparisons {
			if g, w := compare(&got, &want); g != w {
				differences = append(differences, fact)
				if !strings.Contains(otherwise[want.Path], fact) {
					t.Errorf("%s: %s is %s, want %s", want.Path, fact, g, w)
				}
			} else if w != "" && w != "[]" {
				counts[fact]++
			}
		}
		slices.Sort(differences)
		if known := otherwise[want.Path]; strings.Join(differences, " ") != known {
			t.Errorf("%s: differs in %q, and is known to in %q", want.Path, differences, known)
		}
	}
	t.Log(counts)
	for fact, least := range map[string]int{
		"colors": 595, "compression": 720, "gcp_epsg": 3, "gcp_list": 3, "gcps": 720, "geotransform": 286, "interleave": 254,
		"mask": 720, "pages": 31, "palette": 26, "rpc": 3, "scale": 4, "structure": 720,
	} {
		if counts[fact] < least {
			t.Errorf("%s: %d agree, want at least %d", fact, counts[fact], least)
		}
	}
}

// comparisons return a fact as info and as the reference report it. If the reference does not know
// the fact, both are equal.
var comparisons = map[string]func(got *info.Description, want *expected) (string, string){
	"compression": func(got *info.Description, want *expected) (string, string) {
		return got.Compression, compressionNamed(want.Structure["COMPRESSION"])
	},
	"interleave": func(got *info.Description, want *expected) (string, string) {
		if got.Bands == 1 || want.Raw != nil {
			return "", ""
		}
		return got.Interleave, strings.ToLower(want.Structure["INTERLEAVE"])
	},
	"geotransform": func(got *info.Description, want *expected) (string, string) {
		return numbersText(got.Transform), numbersOfReference(want.GeoTransform)
	},
	"colors": func(got *info.Description, want *expected) (string, string) {
		// The reference makes colors of inks and the like, and palettes of what is bilevel or inverted.
		made := got.Bands == 1 && got.Photometric != "palette" && slices.Equal(want.ColorInterp, []string{"Palette"})
		if made || want.Raw != nil || !slices.Contains([]string{"minisblack", "miniswhite", "rgb", "palette"}, got.Photometric) {
			return "", ""
		}
		return fmt.Sprint(got.Colors), strings.ToLower(fmt.Sprint(want.ColorInterp))
	},
	"scale": func(got *info.Description, want *expected) (string, string) {
		return scalesOf(got), scalesOfReference(want)
	},
	"gcps": func(got *info.Description, want *expected) (string, string) {
		return fmt.Sprint(len(got.ControlPoints)), fmt.Sprint(want.GCPs)
	},
	"gcp_list": func(got *info.Description, want *expected) (string, string) {
		if want.GCPList == nil {
			return "", ""
		}
		var list [][4]float64
		for _, p := range got.ControlPoints {
			list = append(list, [4]float64{p.Column, p.Row, p.X, p.Y})
		}
		return fmt.Sprint(list), fmt.Sprint(want.GCPList)
	},
	"gcp_epsg": func(got *info.Description, want *expected) (string, string) {
		if want.GCPEPSG == 0 {
			return "", ""
		}
		return numberText(got.EPSG), fmt.Sprint(want.GCPEPSG)
	},
	"rpc": func(got *info.Description, want *expected) (string, string) {
		if (got.RPC == nil) != (want.RPC == nil) {
			return fmt.Sprint(got.RPC != nil), fmt.Sprint(want.RPC != nil)
		}
		return rpcText(got.RPC), rpcOfReference(want.RPC)
	},
	"pages": func(got *info.Description, want *expected) (string, string) {
		var pages, wanted []string
		for _, p := range got.Pages {
			pages = append(pages, fmt.Sprint(p.Width, p.Height, p.Bands, p.DataType))
		}
		for _, p := range want.SubDatasets {
			if len(want.SubDatasets) == 1 {
				break // the image itself
			}
			wanted = append(wanted, fmt.Sprint(p.Width, p.Height, p.Bands, typeNames.Replace(fmt.Sprint(p.DType))))
		}
		return strings.Join(pages, "; "), strings.Join(wanted, "; ")
	},
	"mask": func(got *info.Description, want *expected) (string, string) {
		const ofBands, ofDataset = 0.0, 2.0 // and nothing else: not of an alpha band, nor of samples for no data
		return fmt.Sprint(got.Masked), fmt.Sprint(want.MaskFlags == ofBands || want.MaskFlags == ofDataset)
	},
	"palette": func(got *info.Description, want *expected) (string, string) {
		if want.Structure["MINISWHITE"] == "YES" || got.Photometric != "palette" {
			return "", ""
		}
		return fmt.Sprint(got.Palette), fmt.Sprint(want.Palette)
	},
	"structure": func(got *info.Description, want *expected) (string, string) {
		return fmt.Sprint(got.ByteOrder, got.BigTIFF), fmt.Sprint(want.TIFF.ByteOrder+" endian", want.TIFF.BigTIFF)
	},
}

// compressionNamed returns info's name for a compression of the reference.
func compressionNamed(name string) string {
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "YCbCr "), "_")
	switch name {
	case "":
		return "none"
	case "CCITTRLE":
		return "ccitt rle"
	case "CCITTRLEW":
		return "ccitt rle/w"
	case "CCITTFAX3", "CCITTFAX4":
		return "ccitt fax " + name[len(name)-1:]
	case "OJPEG":
		return "old jpeg"
	case "SGILOG", "SGILOG24":
		return "sgilog"
	}
	return strings.ToLower(name)
}

func numbersText(numbers *[6]float64) string {
	if numbers == nil {
		return ""
	}
	return numbersOfReference(numbers[:])
}

// numbersOfReference rounds to digits that do not depend on the order of operations.
func numbersOfReference(numbers []float64) string {
	var texts []string
	for _, v := range numbers {
		texts = append(texts, fmt.Sprintf("%.9g", v+0)) // +0 turns negative zero into zero
	}
	return strings.Join(texts, " ")
}

func scalesOf(got *info.Description) string {
	var texts []string
	for _, b := range got.BandInfo {
		scale, offset := 1.0, 0.0
		if b.Scale != nil {
			scale, offset = *b.Scale, *b.Offset
		}
		texts = append(texts, fmt.Sprint(scale, offset))
	}
	if !slices.ContainsFunc(texts, func(text string) bool { return text != "1 0" }) {
		return ""
	}
	return strings.Join(texts, "; ")
}

func scalesOfReference(want *expected) string {
	var texts []string
	for _, s := range want.ScaleOffset {
		scale, offset := 1.0, 0.0
		if s[0] != nil {
			scale = *s[0]
		}
		if s[1] != nil {
			offset = *s[1]
		}
		texts = append(texts, fmt.Sprint(scale, offset))
	}
	return strings.Join(texts, "; ")
}

func rpcText(r *rpc.Model) string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf("%.9g %.9g %.9g %.9g %.9g", r.LineOffset, r.SampleOffset, r.LatitudeOffset, r.LongitudeOffset, r.HeightOffset)
}

func rpcOfReference(values map[string]string) string {
	if values == nil {
		return ""
	}
	var texts []string
	for _, name := range []string{"LINE_OFF", "SAMP_OFF", "LAT_OFF", "LONG_OFF", "HEIGHT_OFF"} {
		var v float64
		if _, err := fmt.Sscan(values[name], &v); err != nil {
			v = math.NaN()
		}
		texts = append(texts, fmt.Sprintf("%.9g", v))
	}
	return strings.Join(texts, " ")
}
