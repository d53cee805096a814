// Command dist packs the program for each platform: an archive with everything a user needs, and
// the checksums of the archives. Equal files and dates give equal bytes.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	var r release
	seconds := flag.Int64("date", 0, "time of all files in the archives, in seconds since 1970")
	flag.StringVar(&r.version, "version", "devel", "version in the names of the archives")
	flag.StringVar(&r.root, "root", ".", "root of the repository")
	flag.StringVar(&r.programs, "programs", "bin", "folder with a program for each platform, as linux-amd64/tileserver")
	flag.StringVar(&r.out, "o", "dist", "folder to write to")
	flag.Parse()
	r.date = time.Unix(*seconds, 0).UTC()
	if err := r.pack(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// release describes the archives to write.
type release struct {
	version             string
	date                time.Time
	root, programs, out string
}

// beside lists the files and folders next to the program in an archive, including all that README
// links to. A folder includes all files below it.
var beside = []string{
	"LICENSE", "NOTICE", "README.md", "CHANGELOG.md", "configs", "docs", "web/screenshot.webp",
	"ARCHITECTURE.md", "CONTRIBUTING.md", "RATIONALE.md",
}

const (
	checksums  = "SHA256SUMS"      // for sha256sum -c
	thirdParty = "THIRD-PARTY.txt" // licenses of the code in the programs
)

// pack writes an archive for each platform, such as linux/amd64, and the checksums.
func (r release) pack(platforms []string) error {
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	for i, platform := range platforms {
		platforms[i] = strings.ReplaceAll(platform, "/", "-")
	}
	common, err := r.commonFiles(platforms)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, platform := range platforms {
		name, data, err := r.archive(platform, common)
		if err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
		if err := os.WriteFile(filepath.Join(r.out, name), data, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), name)
	}
	return os.WriteFile(filepath.Join(r.out, checksums), []byte(sums.String()), 0o644)
}

// commonFiles returns the files of every archive. It also writes the licenses next to the archives,
// for the container image.
func (r release) commonFiles(platforms []string) ([]file, error) {
	programs := make([]string, len(platforms))
	for i, platform := range platforms {
		programs[i] = r.program(platform)
	}
	notices, err := r.licensesOf(programs)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(r.out, thirdParty), notices, 0o644); err != nil {
		return nil, err
	}
	files := []file{{name: thirdParty, mode: 0o644, data: notices}}
	for _, name := range beside {
		more, err := filesBelow(r.root, name)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	return files, nil
}

// program returns the path of the program for a platform, such as linux-amd64.
func (r release) program(platform string) string {
	name := "tileserver"
	if isWindows(platform) {
		name += ".exe"
	}
	return filepath.Join(r.programs, platform, name)
}

func isWindows(platform string) bool { return strings.HasPrefix(platform, "windows-") }

// archive returns the archive of a platform: zip for Windows, which opens it without further tools,
// and tar.gz for all others.
func (r release) archive(platform string, common []file) (name string, data []byte, err error) {
	program, err := os.ReadFile(r.program(platform))
	if err != nil {
		return "", nil, err
	}
	files := append(slices.Clone(common), file{name: filepath.Base(r.program(platform)), mode: 0o755, data: program})
	stem := strings.Join([]string{"tileserver", r.version, platform}, "-")
	for i := range files {
		files[i].name = stem + "/" + files[i].name
	}
	write, suffix := writeTarGz, ".tar.gz"
	if isWindows(platform) {
		write, suffix = writeZip, ".zip"
	}
	data, err = write(sorted(files), r.date)
	return stem + suffix, data, err
}
