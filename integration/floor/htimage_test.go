//go:build floor && linux

package floor

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"tileserver/integration/realfiles"
)

// repeats is how often the block of a picture is repeated in each direction of a whole image.
const repeats = 12

// BenchmarkHTImage reads whole RGB images of high-throughput JPEG 2000 with the program and with OpenJPH's
// ojph_expand in turn; both write the samples to a file. It reports the least CPU time of each.
func BenchmarkHTImage(b *testing.B) {
	for _, name := range []string{"ojph_compress", "ojph_expand"} {
		if _, err := exec.LookPath(name); err != nil {
			b.Skipf("%v: it is part of openjph-tools", err)
		}
	}
	folder, program := b.TempDir(), buildProgram(b)
	uncompressed := filepath.Join(folder, "image.ppm")
	writeRepeated(b, uncompressed, photo.raw(b, realfiles.Folder(b, "MANIFEST.tsv")))
	for _, c := range []struct {
		name    string
		options []string
	}{
		{"5-3", []string{"-reversible", "true"}},
		{"9-7", []string{"-reversible", "false", "-qstep", "0.004"}},
		{"5-3, blocks of 32", []string{"-reversible", "true", "-block_size", "{32,32}"}},
		{"5-3, blocks of 8", []string{"-reversible", "true", "-block_size", "{8,8}"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			file, out := filepath.Join(folder, "image.j2c"), filepath.Join(folder, "out")
			inProcess(b, "ojph_compress", append([]string{"-i", uncompressed, "-o", file}, c.options...)...)
			ours, peer := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
			for b.Loop() {
				ours = min(ours, inProcess(b, program, "read", file, "-o", out+".raw"))
				peer = min(peer, inProcess(b, "ojph_expand", "-i", file, "-o", out+".ppm"))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(ours.Seconds()*1e3, "ours-ms")
			b.ReportMetric(peer.Seconds()*1e3, "openjph-ms")
			b.ReportMetric(ours.Seconds()/peer.Seconds(), "time-of-openjph")
		})
	}
}

// writeRepeated writes a block of RGB as an image, many times in each direction.
func writeRepeated(b *testing.B, file string, rgb []byte) {
	b.Helper()
	ppm := fmt.Appendf(nil, "P6\n%d %d\n255\n", repeats*side, repeats*side)
	for y := range repeats * side {
		row := rgb[y%side*3*side:][:3*side]
		ppm = append(ppm, bytes.Repeat(row, repeats)...)
	}
	if err := os.WriteFile(file, ppm, 0o600); err != nil {
		b.Fatal(err)
	}
}

// buildProgram builds the tile server.
func buildProgram(b *testing.B) string {
	b.Helper()
	program := filepath.Join(b.TempDir(), "tileserver")
	inProcess(b, "go", "build", "-o", program, "../../cmd/tileserver")
	return program
}

// inProcess runs a program and returns its CPU time.
func inProcess(b *testing.B, program string, args ...string) time.Duration {
	b.Helper()
	c := exec.Command(program, args...)
	c.Env = append(os.Environ(), "GOMAXPROCS=1")
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("%s: %v: %s", program, err, out)
	}
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime()
}
