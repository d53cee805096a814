package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// repository writes files to pack into a new folder. Their modes and times differ each time, as
// they do between checkouts.
func repository(t *testing.T, mode os.FileMode) release {
	t.Helper()
	root := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"LICENSE": []byte("license"), "NOTICE": []byte("notice"), "README.md": []byte("read me"), "CHANGELOG.md": []byte("changes"),
		"configs/b.yaml": []byte("b"), "configs/a.service": []byte("a"), "go.mod": []byte("module m\n"),
		"docs/quickstart.md": []byte("first"), "docs/pictures/relief.webp": []byte("picture"), "web/screenshot.webp": []byte("viewer"),
		"ARCHITECTURE.md": []byte("plan"), "CONTRIBUTING.md": []byte("rules"), "RATIONALE.md": []byte("reasons"),
		"web/dist/licenses.txt":      []byte("license of the viewer"),
		"bin/linux-arm64/tileserver": program, "bin/windows-amd64/tileserver.exe": program,
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, mode); err != nil {
			t.Fatal(err)
		}
	}
	return release{version: "1.2.3", date: time.Unix(1700000000, 0).UTC(), root: root, programs: filepath.Join(root, "bin"), out: filepath.Join(root, "dist")}
}

// packed packs a release for two platforms and returns all files written, by name.
func packed(t *testing.T, r release) map[string][]byte {
	t.Helper()
	if err := r.pack([]string{"linux/arm64", "windows/amd64"}); err != nil {
		t.Fatal(err)
	}
	files := make(map[string][]byte)
	for _, name := range []string{"tileserver-1.2.3-linux-arm64.tar.gz", "tileserver-1.2.3-windows-amd64.zip", checksums, thirdParty} {
		data, err := os.ReadFile(filepath.Join(r.out, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	return files
}

func TestTheSameFilesGiveTheSameBytes(t *testing.T) {
	first, second := packed(t, repository(t, 0o644)), packed(t, repository(t, 0o600))
	for name, data := range first {
		if !bytes.Equal(data, second[name]) {
			t.Errorf("%s differs", name)
		}
	}
}

func TestChecksumsAreOfTheArchives(t *testing.T) {
	files := packed(t, repository(t, 0o644))
	var want string
	for _, name := range []string{"tileserver-1.2.3-linux-arm64.tar.gz", "tileserver-1.2.3-windows-amd64.zip"} {
		want += fmt.Sprintf("%x  %s\n", sha256.Sum256(files[name]), name)
	}
	if got := string(files[checksums]); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestArchivesHoldWhatAPersonNeeds(t *testing.T) {
	files := packed(t, repository(t, 0o644))
	listed := map[string]func(*testing.T, []byte) []string{
		"tileserver-1.2.3-linux-arm64.tar.gz": listTarGz, "tileserver-1.2.3-windows-amd64.zip": listZip,
	}
	for name, list := range listed {
		stem, program, _ := strings.Cut(name, ".tar")
		end := ""
		if program == "" {
			stem, end = strings.TrimSuffix(name, ".zip"), ".exe"
		}
		var want []string
		for _, file := range []string{
			"ARCHITECTURE.md 644", "CHANGELOG.md 644", "CONTRIBUTING.md 644", "LICENSE 644", "NOTICE 644", "RATIONALE.md 644", "README.md 644",
			"THIRD-PARTY.txt 644", "configs/a.service 644", "configs/b.yaml 644", "docs/pictures/relief.webp 644", "docs/quickstart.md 644",
			"tileserver" + end + " 755", "web/screenshot.webp 644",
		} {
			want = append(want, stem+"/"+file)
		}
		if got := list(t, files[name]); !slices.Equal(got, want) {
			t.Errorf("%s holds %q, want %q", name, got, want)
		}
	}
}

// README's link targets are in the archives.
func TestLinksOfREADMEAreInTheArchives(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`\]\(([^):#]+)`).FindAllStringSubmatch(string(text), -1)
	if len(links) == 0 {
		t.Fatal("README has no links")
	}
	for _, link := range links {
		isThere := slices.ContainsFunc(beside, func(name string) bool { return link[1] == name || strings.HasPrefix(link[1], name+"/") })
		if !isThere {
			t.Errorf("README leads to %s, which is not in the archives", link[1])
		}
	}
}

func listTarGz(t *testing.T, data []byte) (names []string) {
	t.Helper()
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(unzipped); ; {
		header, err := r.Next()
		if err == io.EOF {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.Uid != 0 || header.Gid != 0 || header.Uname != "" || header.ModTime.Unix() != 1700000000 {
			t.Errorf("%s is of %d:%d %q at %v", header.Name, header.Uid, header.Gid, header.Uname, header.ModTime)
		}
		names = append(names, fmt.Sprintf("%s %o", header.Name, header.Mode))
	}
}

func listZip(t *testing.T, data []byte) (names []string) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.File {
		if f.Modified.Unix() != 1700000000 {
			t.Errorf("%s is of %v", f.Name, f.Modified)
		}
		names = append(names, fmt.Sprintf("%s %o", f.Name, f.Mode().Perm()))
	}
	return names
}

func TestLicensesAreOfAllThatIsLinked(t *testing.T) {
	text := string(packed(t, repository(t, 0o644))[thirdParty])
	for _, want := range []string{"\nGo 1.", ", LICENSE\n", "The Go Authors", "\nthe viewer\n\nlicense of the viewer"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%.300s", want, text)
		}
	}
	if got := strings.Count(text, ", LICENSE\n"); got != 1 {
		t.Errorf("Go has %d licenses, want one: two programs are made of the same", got)
	}
}

func TestWhatHasNoLicenseIsNotPacked(t *testing.T) {
	folder := t.TempDir()
	if err := addLicenses(io.Discard, module{Path: "example.org/m", Dir: folder}); err == nil {
		t.Error("a module without a license is passed on")
	}
	for _, name := range []string{"LICENSE-MIT", "copying.TXT", "license.go", "NOTICE.md"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("text of "+name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var text bytes.Buffer
	if err := addLicenses(&text, module{Path: "example.org/m", Version: "v1.0.0", Dir: folder}); err != nil {
		t.Fatal(err)
	}
	if got := text.String(); strings.Contains(got, "license.go") || !strings.Contains(got, "example.org/m v1.0.0, NOTICE.md\n\ntext of NOTICE.md") || !strings.Contains(got, "text of LICENSE-MIT") {
		t.Errorf("got %s", got)
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	for _, name := range []string{"web/dist/licenses.txt", "NOTICE", "bin/linux-arm64/tileserver"} {
		r := repository(t, 0o644)
		if err := os.Remove(filepath.Join(r.root, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
		if err := r.pack([]string{"linux/arm64"}); err == nil || !strings.Contains(err.Error(), filepath.Base(name)) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}
