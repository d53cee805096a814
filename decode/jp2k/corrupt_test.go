package jp2k

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tileserver/decode"
	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/raster"
	"tileserver/source"
)

const (
	// corruptTimeout limits the time for reading a corrupt file with all of its levels, on a busy
	// machine. It normally takes far less than a second.
	corruptTimeout = 40 * time.Second

	// maxCorruptBytes is the maximum that one call may allocate, and so the maximum it may hold.
	maxCorruptBytes = 256 << 20

	// corruptBlocks is the number of blocks to read per level. A file of a few bytes may have
	// millions.
	corruptBlocks = 64
)

// namedErrors are the possible reasons to reject a file.
var namedErrors = []error{
	boxes.ErrFormat, boxes.ErrCorrupt, boxes.ErrUnsupported, codestream.ErrCorrupt, codestream.ErrUnsupported, codestream.ErrLimit,
	packets.ErrLimit, decode.ErrCorruptBlock, decode.ErrUnsupported,
}

// Corrupt files are rejected with a named error or read as far as they are sound, quickly and with
// little memory.
func TestCorruptFiles(t *testing.T) {
	root := filepath.Join(realFolder(t), "corrupt", "jp2k")
	opened, rejected, told := 0, 0, 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, _ := filepath.Rel(root, path)
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			f := readCorrupt(t, path)
			switch {
			case f == nil:
				rejected++
			case f.reported() != "":
				told++
				fallthrough
			default:
				opened++
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files were opened, %d reported damage, %d were rejected", opened, told, rejected)
	if opened < 40 || rejected < 30 || told < 15 {
		t.Errorf("%d files were opened, %d reported damage, %d were rejected: unexpected numbers", opened, told, rejected)
	}
}

// readCorrupt reads a file, or checks that it is rejected with a named error.
func readCorrupt(t *testing.T, path string) (f *realFile) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), corruptTimeout)
	defer cancel()
	var err error
	checkAllocation(t, "opening it", func() { f, err = openReal(ctx, t, path) })
	if err != nil {
		checkNamed(t, err)
		return nil
	}
	for level := range f.image.Info().Levels {
		checkAllocation(t, fmt.Sprint("reading level ", level), func() { readLevel(ctx, t, f.image, level) })
	}
	if ctx.Err() != nil {
		t.Errorf("not read within %v", corruptTimeout)
	}
	return f
}

// readLevel reads the first blocks of a level, the last one, and some between.
func readLevel(ctx context.Context, t *testing.T, m *Image, level int) {
	t.Helper()
	l := m.Info().Levels[level]
	count := l.CountCovering(l.Bounds())
	step := max(1, count/corruptBlocks)
	var ids []raster.BlockID
	for i := int64(0); i < count; i += step {
		ids = append(ids, raster.BlockID{Col: int(i % int64(l.Columns())), Row: int(i / int64(l.Columns()))})
	}
	ids = append(ids, raster.BlockID{Col: l.Columns() - 1, Row: l.Rows() - 1})
	tiles, err := m.Blocks(ctx, level, ids, nil)
	if err != nil && ctx.Err() == nil {
		checkNamed(t, err)
	}
	for i, tile := range tiles {
		if want := l.Block(ids[i]); tile.Width() != want.Width() || tile.Height() != want.Height() || tile.Bands() != len(m.Info().Bands) {
			t.Errorf("level %d block %v is %dx%d in %d bands", level, ids[i], tile.Width(), tile.Height(), tile.Bands())
		}
	}
}

func checkNamed(t *testing.T, err error) {
	t.Helper()
	for _, named := range namedErrors {
		if errors.Is(err, named) {
			return
		}
	}
	t.Errorf("unknown error: %v", err)
}

// checkAllocation limits all allocations of the process. Nothing else may run.
func checkAllocation(t *testing.T, what string, do func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > maxCorruptBytes {
		t.Errorf("%s took %d bytes", what, bytes)
	}
}

// A truncated image is read as far as possible, and the damage is reported.
func TestCutOffFile(t *testing.T) {
	f := readCorrupt(t, filepath.Join(realFolder(t), "corrupt", "jp2k", "gdal", "small_world_truncated.jp2"))
	if f == nil {
		t.Fatal("a file that is cut off was refused")
	}
	if !strings.Contains(f.reported(), "tile") {
		t.Errorf("reported %q", f.reported())
	}
}

// Sound files of all kinds with changed bytes, or truncated, are read or rejected with a named
// error. Reading stops at the timeout, since a file may now claim to be a million times larger.
func TestDamagedFiles(t *testing.T) {
	const times, maxBytes = 12, 1 << 15
	root := realFolder(t)
	random := rand.New(rand.NewPCG(6, 15444))
	damaged := 0
	for _, e := range expectedFiles(t, root, "jp2k") {
		data, err := os.ReadFile(filepath.Join(root, e.Path))
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > maxBytes {
			continue
		}
		damaged++
		t.Run(strings.TrimPrefix(e.Path, "jp2k/"), func(t *testing.T) {
			for range times {
				readDamaged(t, withDamage(data, random))
			}
		})
	}
	if damaged < 40 {
		t.Errorf("%d files were small enough", damaged)
	}
}

func readDamaged(t *testing.T, data []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), corruptTimeout)
	defer cancel()
	f, err := openSource(ctx, source.NewBytes("damaged", data))
	if err != nil {
		checkNamed(t, err)
		return
	}
	for level := range f.image.Info().Levels {
		readLevel(ctx, t, f.image, level)
	}
}

// withDamage returns a copy of a file that is truncated or has some changed bytes, most of them
// near the beginning.
func withDamage(data []byte, random *rand.Rand) []byte {
	copied := slices.Clone(data)
	if random.IntN(4) == 0 {
		return copied[:random.IntN(len(copied))]
	}
	for range 1 + random.IntN(4) {
		from := len(copied)
		if random.IntN(2) == 0 {
			from = min(from, 300)
		}
		copied[random.IntN(from)] = byte(random.Uint32())
	}
	return copied
}
