package integration

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "tileserver/"

func TestNothingPointsUpAndArchitectureListsAllImports(t *testing.T) {
	documented, err := readPackageTables(readText(t, "../ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, message := range contradictions(documented, importsOfOurs(t, "..")) {
		t.Error(message)
	}
}

func TestArchitectureListsAllAssembly(t *testing.T) {
	section, err := sectionOf(readText(t, "../ARCHITECTURE.md"), "### Assembly")
	if err != nil {
		t.Fatal(err)
	}
	documented := quotedNames(section)
	slices.Sort(documented)
	var found []string
	walkFolders(t, "..", func(file, relative string) error {
		if folder := path.Dir(relative); strings.HasSuffix(file, ".s") && !slices.Contains(found, folder) {
			found = append(found, folder)
		}
		return nil
	})
	slices.Sort(found)
	if !slices.Equal(documented, found) {
		t.Errorf("ARCHITECTURE.md lists assembly in %v, but it is in %v", documented, found)
	}
}

// Without the processor, only the emulator of make arm64 runs this assembly.
func TestMakeRunsAllAssemblyOfArm64(t *testing.T) {
	isListed := packagesOfMake(t, "ARM64")
	walkFolders(t, "..", func(file, relative string) error {
		if strings.HasSuffix(file, "_arm64.s") && !isListed(relative) {
			t.Errorf("ARM64 in the Makefile lacks the package of %s", relative)
		}
		return nil
	})
}

// Only make gpu runs kernels on a device, and tests that are built with the tag. Of some packages it runs only the
// tests whose names say so.
func TestMakeRunsAllKernels(t *testing.T) {
	isListed, isPartlyListed := packagesOfMake(t, "GPU"), packagesOfMake(t, "PARTLY_GPU")
	testName := regexp.MustCompile(`(?m)^func (Test\w*)\(`)
	walkFolders(t, "..", func(file, relative string) error {
		isKernel := strings.HasSuffix(file, ".wgsl")
		isTest := strings.HasSuffix(file, "_test.go") && strings.HasPrefix(readText(t, file), "//go:build gpu")
		switch {
		case !isKernel && !isTest, isListed(relative):
		case !isPartlyListed(relative):
			t.Errorf("GPU in the Makefile lacks the package of %s", relative)
		default:
			for _, test := range testName.FindAllStringSubmatch(readText(t, file), -1) {
				if !strings.Contains(test[1], "GPU") {
					t.Errorf("make gpu does not run %s of %s", test[1], relative)
				}
			}
		}
		return nil
	})
}

// packagesOfMake returns a function that reports whether a file lies in one of the packages that a variable
// of the Makefile lists.
func packagesOfMake(t *testing.T, variable string) (isListed func(file string) bool) {
	t.Helper()
	_, list, isThere := strings.Cut(readText(t, "../Makefile"), "\n"+variable+" := ")
	if !isThere {
		t.Fatalf("the Makefile has no %s", variable)
	}
	list, _, _ = strings.Cut(strings.ReplaceAll(list, "\\\n", ""), "\n")
	return func(file string) bool {
		return slices.ContainsFunc(strings.Fields(list), func(pattern string) bool {
			above, all := strings.CutSuffix(strings.TrimPrefix(pattern, "./"), "/...")
			return path.Dir(file) == above || all && strings.HasPrefix(file, above+"/")
		})
	}
}

func TestOnlyDisplayAndEncodeEncodeAndOnlyDecodeDecodes(t *testing.T) {
	users := map[string][]string{"encoder": {"display", "encode", "codec"}, "decoder": {"decode", "codec"}}
	for name, imported := range importsOfOurs(t, "..") {
		for _, other := range imported {
			may := users[path.Base(other)]
			if floor, _, _ := strings.Cut(name, "/"); may != nil && !slices.Contains(may, floor) {
				t.Errorf("%s imports %s, which only packages of %s may", name, other, strings.Join(may, ", "))
			}
		}
	}
}

// Callers ask whether an error is decode.ErrCorrupt, whatever was being decoded. Well-known text is
// not decoded from a file alone: requests have it too.
func TestEveryErrCorruptIsThatOfDecode(t *testing.T) {
	own := regexp.MustCompile(`(?m)^(var|\t)\s*Err(Corrupt|Truncated)\s*=\s*errors\.New`)
	walkSources(t, "..", func(name, file string, _ []string) {
		if name != "decode" && name != "geo/internal/wkt" && own.MatchString(readText(t, "../"+file)) {
			t.Errorf("%s has an ErrCorrupt or ErrTruncated that is not made by decode.Corrupt", file)
		}
	})
}

// Two files may import the TIFF library, because the library must never see a file whose directories
// our own code has not bounded first: the one that has it read the marks of a file, and the one that
// looks up names. The latter alone may import its packages of tags, and nothing its other packages,
// which parse. Only one file may import the metrics library.
func TestGuardedImportsStandInOneFile(t *testing.T) {
	guarded := map[string][]string{
		"github.com/google/tiff":                         {"decode/tiff/ifd", "decode/tiff/taglist"},
		"github.com/google/tiff/dng":                     {"decode/tiff/taglist"},
		"github.com/google/tiff/exif":                    {"decode/tiff/taglist"},
		"github.com/google/tiff/geotiff":                 {"decode/tiff/taglist"},
		"github.com/google/tiff/tiffep":                  {"decode/tiff/taglist"},
		"github.com/hashicorp/golang-lru/v2/simplelru":   {"cache", "http/clients", "http/prefetch", "layer", "source/web"},
		"github.com/prometheus/client_golang/prometheus": {"http", "http/servertest", "cmd/tileserver"},
	}
	for library, allowed := range guarded {
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
	walkSources(t, "..", func(_, file string, imports []string) {
		for _, library := range imports {
			if guarded[library] == nil && strings.HasPrefix(library, "github.com/google/tiff/") {
				t.Errorf("%s imports %s, which nothing may", file, library)
			}
		}
	})
}

// The binding needs C, and is larger than all other modules together.
func TestOnlyBuildsWithTheTagHaveTheBindingOfGPUs(t *testing.T) {
	const binding = "github.com/cogentcore/webgpu/wgpu"
	list := exec.Command("go", "list", "-deps", "-test", module+"...")
	list.Env = append(os.Environ(), "CGO_ENABLED=1", "GOFLAGS=") // what else is set may have the tag
	packages, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(strings.Fields(string(packages)), binding) {
		t.Errorf("builds without the tag gpu have %s", binding)
	}
	walkSources(t, "..", func(name, file string, imports []string) {
		if slices.Contains(imports, binding) && name != "gpu/webgpu" {
			t.Errorf("%s imports %s, which only gpu/webgpu may", file, binding)
		}
	})
}

func TestImportsOfTestsAreNotCounted(t *testing.T) {
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
// folder and the file's imports.
func walkSources(t *testing.T, root string, visit func(name, file string, imports []string)) {
	t.Helper()
	walkFolders(t, root, func(file, relative string) error {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
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
		visit(path.Dir(relative), relative, imports)
		return nil
	})
}

// walkFolders calls visit for every file below root, with its path and its path relative to root
// with slashes. It skips folders that have a module of their own.
func walkFolders(t *testing.T, root string, visit func(file, relative string) error) {
	t.Helper()
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return skipFolder(root, file, entry)
		}
		relative, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		return visit(file, filepath.ToSlash(relative))
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
