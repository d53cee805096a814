package integration

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// house lists, for each package of this module, the packages of this module that it may import.
// A package may import packages of lower layers of ARCHITECTURE.md, never those of higher
// layers or its own. A package that is not listed here fails the test.
var house = map[string][]string{
	// bottom: types that all layers share, and packages that depend on none of ours
	"raster":     {},
	"geo":        {"geo/internal/epsg", "geo/internal/projection", "geo/internal/wkt"},
	"source":     {},
	"cache":      {},
	"cache/disk": {},
	"gpu":        {},
	"web":        {},
	"nearest":    {},

	"geo/internal/epsg":       {"geo/internal/projection"},
	"geo/internal/projection": {},
	"geo/internal/wkt":        {},

	"decode/jp2k/ht/internal/vlc": {},

	// codecs and algorithms: bytes or pixels in, bytes or pixels out
	"decode/ccitt":           {},
	"decode/inflate":         {},
	"decode/jp2k/codestream": {},
	"decode/jpeg":            {},
	"decode/jp2k/boxes":      {},
	"decode/jp2k/gmljp2":     {},
	"decode/jp2k/samples":    {},
	"decode/jp2k/wavelet":    {},
	"decode/jp2k/tier1":      {},
	"decode/jp2k/ht":         {"decode/jp2k/ht/internal/vlc"},
	"decode/jp2k/packets":    {"decode/jp2k/codestream"},
	"decode/lerc":            {},
	"decode/lzma":            {},
	"decode/lzw":             {},
	"decode/next":            {},
	"decode/packbits":        {},
	"decode/pam":             {},
	"decode/rows":            {},
	"decode/sgilog":          {},
	"decode/thunderscan":     {},
	"decode/webp":            {"decode/webp/vp8"},
	"decode/webp/vp8":        {},
	"display/colormap":       {},
	"display/expression":     {},
	"display/formula":        {},
	"display/geotiff":        {},
	"display/jpeg":           {},
	"display/npy":            {},
	"display/png":            {"display/png/deflate"},
	"display/png/deflate":    {},
	"display/terrain":        {},
	"display/webp":           {"display/webp/lossless", "display/webp/lossy"},
	"display/webp/lossless":  {},
	"display/webp/lossy":     {"decode/webp/vp8"},

	// first layer
	"decode": {
		"raster", "gpu", "decode/ccitt", "decode/inflate", "decode/jpeg", "decode/lerc", "decode/lzma", "decode/lzw", "decode/next",
		"decode/packbits", "decode/rows", "decode/sgilog", "decode/thunderscan", "decode/webp",
	},
	"decode/jp2k": {"decode", "source", "raster", "geo", "cache", "decode/georeference", "decode/pam", "decode/jp2k/boxes",
		"decode/jp2k/codestream", "decode/jp2k/gmljp2", "decode/jp2k/ht", "decode/jp2k/packets", "decode/jp2k/samples", "decode/jp2k/tier1",
		"decode/jp2k/wavelet"},
	"decode/georeference": {"source", "geo", "decode/pam"},
	"decode/tiff":         {"decode", "source", "raster", "geo", "cache", "decode/georeference", "decode/jpeg", "decode/pam", "decode/webp"},
	"pyramid":             {"raster", "geo", "cache"},
	"pyramid/recolor":     {"raster"},
	"display/picture":     {"raster", "display/jpeg", "display/png", "display/webp"},
	"display/statistics":  {"raster"},
	"display/legend":      {"display/colormap"},
	"display": {
		"raster", "display/colormap", "display/expression", "display/formula", "display/legend", "display/picture", "display/statistics",
		"display/terrain",
	},

	// second and third layer
	"layer": {
		"pyramid", "pyramid/recolor", "display", "display/colormap", "display/geotiff", "display/legend", "display/npy", "display/picture",
		"display/statistics", "display/terrain", "cache", "cache/disk", "geo", "raster", "nearest",
	},
	"http": {
		"layer", "geo", "web", "nearest", "raster", "display", "display/colormap", "display/expression", "display/formula", "display/legend", "display/picture",
		"display/statistics", "display/terrain", "http/accept", "http/deepzoom", "http/iiif", "http/ogcapi",
		"http/tms", "http/wmts", "http/zoomify",
	},
	"http/accept":   {},
	"http/deepzoom": {},
	"http/iiif":     {},
	"http/ogcapi":   {"geo", "http/accept"},
	"http/plain":    {},
	"http/tms":      {"geo", "http/plain"},
	"http/wmts":     {"geo", "http/plain"},
	"http/zoomify":  {},

	// top layer
	"cmd/tileserver":            {anything},
	"cmd/tileserver/demo":       {},
	"cmd/tileserver/strictyaml": {"nearest"},

	// outside the layers: programs that generate our files, and packages that help tests
	"cmd/dist": {},
	"decode/jp2k/jp2ktest": {"decode/jp2k/codestream", "decode/jp2k/codestream/codestreamtest", "decode/jp2k/packets/packetstest",
		"decode/jp2k/tier1", "decode/jp2k/tier1/tier1test", "decode/jp2k/wavelet", "decode/jp2k/wavelet/wavelettest"},
	"cmd/tileserver/demo/generate":          {"decode/tiff/tifftest"},
	"decode/jp2k/boxes/boxestest":           {},
	"decode/jp2k/codestream/codestreamtest": {"decode/jp2k/codestream"},
	"decode/jp2k/packets/packetstest":       {"decode/jp2k/codestream"},
	"decode/jp2k/wavelet/wavelettest":       {"decode/jp2k/wavelet"},
	"decode/jp2k/tier1/tier1test":           {"decode/jp2k/tier1"},
	"decode/jp2k/ht/httest":                 {"decode/jp2k/ht", "decode/jp2k/ht/internal/vlc"},
	"decode/tiff/tifftest":                  {},
	"display/colormap/generate":             {"display/colormap"},
	"geo/epsggen":                           {"geo/internal/epsg"},
	"geo/epsggen/points":                    {},
	"raster/rastertest":                     {"raster"},
	"source/sourcetest":                     {"source"},
	"integration":                           {},
	"integration/clients":                   {},
	"integration/contactsheet":              {anything},
	"integration/processor":                 {},
	"integration/floor":                     {},
}

const (
	anything = "*"
	module   = "tileserver/"
)

func TestNothingPointsUpOrSideways(t *testing.T) {
	imports := importsOfOurs(t, "..")
	for name, imported := range imports {
		allowed, ok := house[name]
		if !ok {
			t.Errorf("package %s is not in the table of allowed imports", name)
			continue
		}
		for _, other := range imported {
			if !slices.Contains(allowed, other) && !slices.Contains(allowed, anything) {
				t.Errorf("%s imports %s, which the table does not allow", name, other)
			}
		}
	}
	for name := range house {
		if _, ok := imports[name]; !ok {
			t.Errorf("the table lists package %s, which does not exist", name)
		}
	}
}

func TestTheTableHasNoCircles(t *testing.T) {
	var visit func(name string, path []string)
	visit = func(name string, path []string) {
		if slices.Contains(path, name) {
			t.Fatalf("import cycle: %v", append(path, name))
		}
		for _, other := range house[name] {
			visit(other, append(slices.Clone(path), name))
		}
	}
	for name := range house {
		visit(name, nil)
	}
}

// Only one file may import the TIFF library, because the library must never see a file whose
// directories our own code has not bounded first. Only one file may import the metrics library.
func TestGuardedImportsStandInOneFile(t *testing.T) {
	for library, allowed := range map[string][]string{
		"github.com/google/tiff":                         {"decode/tiff"},
		"github.com/hashicorp/golang-lru/v2/simplelru":   {"cache"},
		"github.com/prometheus/client_golang/prometheus": {"http", "cmd/tileserver"},
	} {
		files := make(map[string][]string)
		walkSources(t, "..", func(name, file string, imports []string) {
			if slices.Contains(imports, library) {
				files[name] = append(files[name], file)
			}
		})
		for name, in := range files {
			if !slices.Contains(allowed, name) || len(in) != 1 {
				t.Errorf("%s is imported by the files %v of package %s", library, in, name)
			}
		}
		if len(files) == 0 {
			t.Errorf("nothing imports %s", library)
		}
	}
}

// This test makes sure that the checks above detect violations.
func TestWrongImportsAreDetected(t *testing.T) {
	root := t.TempDir()
	write := func(file, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("raster/a.go", "package raster\nimport _ \"tileserver/http\"\n")
	write("raster/a_test.go", "package raster\nimport _ \"tileserver/layer\"\n")
	write("utils/b.go", "package utils\n")
	got := importsOfOurs(t, root)
	if want := map[string][]string{"raster": {"http"}, "utils": nil}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("found %v, want %v", got, want)
	}
	if slices.Contains(house["raster"], "http") {
		t.Error("the table allows raster to import http")
	}
	if _, ok := house["utils"]; ok {
		t.Error("the table lists package utils")
	}
}

// importsOfOurs returns the packages below root, each with the packages of this module that it
// imports. Test files are skipped.
func importsOfOurs(t *testing.T, root string) map[string][]string {
	t.Helper()
	found := make(map[string][]string)
	walkSources(t, root, func(name, _ string, imports []string) {
		found[name] = found[name][:len(found[name]):len(found[name])]
		for _, path := range imports {
			if other, ours := strings.CutPrefix(path, module); ours && !slices.Contains(found[name], other) {
				found[name] = append(found[name], other)
			}
		}
	})
	return found
}

// walkSources calls visit for every Go file below root that is not a test, with the package's
// folder and the file's imports. It skips folders that have a module of their own.
func walkSources(t *testing.T, root string, visit func(name, file string, imports []string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return skipFolder(root, file, entry)
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		var imports []string
		for _, spec := range parsed.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports = append(imports, name)
		}
		visit(path.Dir(filepath.ToSlash(relative)), filepath.ToSlash(relative), imports)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func skipFolder(root, folder string, entry fs.DirEntry) error {
	if folder == root {
		return nil
	}
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	if err == nil || strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || entry.Name() == "node_modules" {
		return filepath.SkipDir
	}
	return nil
}
