package jp2k

import (
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/jp2k/boxes"
	"tileserver/raster"
)

// rejectedFiles are the files that are rejected, with the reason.
var rejectedFiles = map[string]struct {
	err error
	why string
}{
	"jp2k/jasper/278.jp2": {boxes.ErrCorrupt, "no codestream"},
}

// maxRejectedPercent is the maximum share of rejected files.
const maxRejectedPercent = 3

// damagedFiles are the files with damage, and what is reported.
var damagedFiles = map[string]string{
	"jp2k/glymur/issue982.j2k":        "code-block 0 of band 0, resolution 0, component 0, tile 0",
	"jp2k/openjpeg-data/issue226.j2k": "tile 0: packets: packet 16",
	"jp2k/openjpeg-data/issue399.j2k": "code-block 0 of band 0, resolution 1, component 0, tile 4",
}

// contestedPlanes are components that OpenJPEG decodes differently from the standard's reference
// image. TestConformance compares them with that image.
var contestedPlanes = map[string][]int{"jp2k/openjpeg-data/p0_06.j2k": {0}}

// All real files are decoded as by other software: lossless files bit for bit, the others nearly
// so.
func TestRealFiles(t *testing.T) {
	root := realFolder(t)
	isExact := make(map[string]bool)
	for _, row := range tableRows(t, filepath.Join(root, "MANIFEST.tsv")) {
		isExact[row["path"]] = strings.HasPrefix(row["exact"], "yes")
	}
	files := expectedFiles(t, root, "jp2k")
	if len(files) < 160 {
		t.Fatalf("%d files, not 160 or more", len(files))
	}
	if 100*len(rejectedFiles) > maxRejectedPercent*len(files) {
		t.Errorf("%d of %d files are refused", len(rejectedFiles), len(files))
	}
	for _, want := range files {
		t.Run(strings.TrimPrefix(want.Path, "jp2k/"), func(t *testing.T) {
			t.Parallel()
			f, err := openReal(t.Context(), t, filepath.Join(root, want.Path))
			if rejected, ok := rejectedFiles[want.Path]; ok {
				if !errors.Is(err, rejected.err) || !strings.Contains(err.Error(), rejected.why) {
					t.Fatalf("got the error %v, want %v: %s", err, rejected.err, rejected.why)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want.compare(t, f, isExact[want.Path])
			if why, isDamaged := damagedFiles[want.Path]; isDamaged != (f.reported() != "") || !strings.Contains(f.reported(), why) {
				t.Errorf("reported %q, want %q", f.reported(), why)
			}
		})
	}
}

func (e *expectedFile) compare(t *testing.T, f *realFile, isExact bool) {
	t.Helper()
	if got := len(f.stream.Header().Components); got != e.Codestream.Count {
		t.Fatalf("%d components, want %d", got, e.Codestream.Count)
	}
	for i := range e.Codestream.Components {
		want := e.Codestream.plane(t, i)
		if c := f.stream.Header().Components[i]; c.Bits != want.Bits || c.Signed != want.Signed {
			t.Errorf("component %d has %d bits (signed %v), want %d (%v)", i, c.Bits, c.Signed, want.Bits, want.Signed)
		}
		if want.Size[0]*want.Size[1] > maxPlaneSamples {
			e.compareBlocks(t, f)
			return
		}
		got, err := f.image.Component(t.Context(), i, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got.Width != want.Size[0] || got.Height != want.Size[1] {
			t.Fatalf("component %d is %dx%d, want %dx%d", i, got.Width, got.Height, want.Size[0], want.Size[1])
		}
		if i >= len(e.Components.Planes) {
			continue
		}
		if err := e.Components.Planes[i].compare(got, isExact); err != nil && !isContested(e.Path, i) {
			t.Errorf("component %d: %v", i, err)
		}
	}
}

// maxPlaneSamples is the maximum number of samples to decode in one request.
const maxPlaneSamples = 1 << 24

// compareBlocks compares an image with one band of bytes that is too large for one plane.
func (e *expectedFile) compareBlocks(t *testing.T, f *realFile) {
	t.Helper()
	l := f.image.Info().Levels[0]
	digest := md5.New()
	for row := range l.Rows() {
		ids := l.Covering(raster.Rect{Y0: row * l.BlockHeight, Y1: (row + 1) * l.BlockHeight, X1: l.Width})
		tiles, err := f.image.Blocks(t.Context(), 0, ids, nil)
		if err != nil {
			t.Fatal(err)
		}
		for y := range tiles[0].Height() {
			for _, tile := range tiles {
				digest.Write(tile.Plane(0)[y*tile.Width():][:tile.Width()])
			}
		}
	}
	if got, want := hex.EncodeToString(digest.Sum(nil)), e.Components.Planes[0].MD5; got != want {
		t.Errorf("the MD5 of all blocks is %s, want %s", got, want)
	}
}

func isContested(path string, component int) bool {
	for _, c := range contestedPlanes[path] {
		if c == component {
			return true
		}
	}
	return false
}

// plane returns the size and the depth of a component, from the header.
func (c *expectedCodestream) plane(t *testing.T, component int) (p expectedPlane) {
	t.Helper()
	var kind rune
	var apart [2]int
	if _, err := fmt.Sscanf(c.Components[component], "%c%d/%dx%d", &kind, &p.Bits, &apart[0], &apart[1]); err != nil {
		t.Fatalf("component %q: %v", c.Components[component], err)
	}
	p.Signed = kind == 's'
	for i, step := range apart {
		ceil := func(at int) int { return (at + step - 1) / step }
		p.Size[i] = ceil(c.Origin[i]+c.Size[i]) - ceil(c.Origin[i])
	}
	return p
}

func (p *expectedPlane) compare(got *Plane, isExact bool) error {
	if isExact {
		if digest := p.digest(got); digest != p.MD5 {
			return fmt.Errorf("the MD5 is %s, want %s; minimum, maximum, mean and deviation are %v, want %v", digest, p.MD5, statistics(got), p.Stats)
		}
		return nil
	}
	stats := statistics(got)
	for i, tolerance := range p.tolerances() {
		if math.Abs(stats[i]-p.Stats[i]) > tolerance {
			return fmt.Errorf("minimum, maximum, mean and deviation are %v, want %v within %v", stats, p.Stats, p.tolerances())
		}
	}
	return nil
}

// tolerances are the differences between decoders that round floats differently. OpenJPEG scales
// high bands lower than the standard by some hundred thousandths, which may explain all of the
// difference.
func (p *expectedPlane) tolerances() [4]float64 {
	step := math.Ldexp(1, max(p.Bits-8, 0))
	return [4]float64{2, 2, 0.005 * step, 5e-5*p.Stats[3] + 0.001*step}
}

// digest hashes the samples in the narrowest type that holds them.
func (p *expectedPlane) digest(got *Plane) string {
	size := 1
	for 8*size < p.Bits {
		size *= 2
	}
	data := make([]byte, 0, size*len(got.Samples))
	for _, sample := range got.Samples {
		for i := range size {
			data = append(data, byte(sample>>(8*i)))
		}
	}
	sum := md5.Sum(data)
	return hex.EncodeToString(sum[:])
}

// statistics returns the minimum, the maximum, the mean and the standard deviation.
func statistics(p *Plane) [4]float64 {
	lowest, highest, sum := math.Inf(1), math.Inf(-1), 0.0
	for _, sample := range p.Samples {
		lowest, highest, sum = min(lowest, float64(sample)), max(highest, float64(sample)), sum+float64(sample)
	}
	mean, squares := sum/float64(len(p.Samples)), 0.0
	for _, sample := range p.Samples {
		squares += (float64(sample) - mean) * (float64(sample) - mean)
	}
	return [4]float64{lowest, highest, mean, math.Sqrt(squares / float64(len(p.Samples)))}
}
