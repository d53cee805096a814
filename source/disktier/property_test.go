package disktier

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"tileserver/source"
)

// world is an object that changes, a folder that is damaged, and processes that are killed.
type world struct {
	*testing.T
	random *rand.Rand
	folder string
	tier   *Tier
	object *fakeObject // the current version
	opened source.Object
	data   []byte
	puts   int
	damage int
	past   Stats // of the processes before
}

// worldFolders is small, so that blocks are evicted often.
const worldFolders, worldBlocks = 3, 40

func newWorld(t *testing.T, seed uint64) *world {
	w := &world{T: t, random: rand.New(rand.NewPCG(seed, 1)), folder: t.TempDir()}
	w.start()
	w.change()
	t.Cleanup(func() { w.tier.Close() })
	return w
}

// start starts a process on the folder.
func (w *world) start() {
	w.Helper()
	tier, err := open(Config{Folder: w.folder, MaxBytes: worldBlocks * fileBytes, OnFailure: func(err error) { w.Error(err) }}, worldFolders)
	if err != nil {
		w.Fatal(err)
	}
	w.tier = tier
}

// change replaces the object, often by one of the same size whose blocks are mostly equal.
func (w *world) change() {
	old := w.object
	if w.puts++; w.data == nil || w.random.IntN(3) == 0 {
		w.data = randomBytes(w.random.Uint64(), 1+w.random.IntN(60*blockBytes))
	} else {
		w.data = append([]byte{}, w.data...)
		w.data[w.random.IntN(len(w.data))]++
	}
	w.object = newFake(w.data)
	if old != nil {
		w.object.Fake = old.Replace(w.data) // reads of the old one fail from now on
	}
	w.object.id = fmt.Sprint("version ", w.puts)
	w.opened = w.object.through(w, w.tier)
}

// read compares some ranges with the plain object, several at a time.
func (w *world) read() {
	var reads sync.WaitGroup
	for range 1 + w.random.IntN(4) {
		ranges := make([]source.Range, w.random.IntN(6))
		for i := range ranges {
			offset := w.random.Int64N(int64(len(w.data)) + 1)
			ranges[i] = source.Range{Offset: offset, Length: min(int64(len(w.data))-offset, int64(w.random.ExpFloat64()*2*blockBytes))}
		}
		reads.Go(func() { wantBytes(w, w.opened, w.data, ranges...) })
	}
	reads.Wait()
}

// spoil damages some files while the process runs: bytes are flipped, files are cut, removed or exchanged,
// or a process was killed before it had renamed them.
func (w *world) spoil() {
	files := keptFiles(w, w.folder)
	for range min(len(files), 1+w.random.IntN(3)) {
		path := files[w.random.IntN(len(files))]
		content, err := os.ReadFile(path)
		if err != nil { // evicted, or spoiled before
			continue
		}
		w.damage++
		switch w.random.IntN(5) {
		case 0:
			content[w.random.IntN(len(content))] ^= 1 << w.random.IntN(8)
			err = os.WriteFile(path, content, 0o600)
		case 1:
			err = os.Truncate(path, w.random.Int64N(int64(len(content))))
		case 2:
			err = os.WriteFile(path, append(content, 0), 0o600)
		case 3:
			err = os.Rename(path, files[w.random.IntN(len(files))])
		case 4:
			err = os.Rename(path, filepath.Join(filepath.Dir(path), fmt.Sprintf(".unfinished-%d", w.damage)))
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			w.Error(err)
		}
	}
}

// die ends the process, sometimes before all is written, and starts another one.
func (w *world) die() {
	if w.random.IntN(2) == 0 {
		w.tier.flush()
	}
	w.tier.queue.mu.Lock()
	w.tier.queue.order = nil // is lost
	w.tier.queue.mu.Unlock()
	w.tier.Close()
	w.past = w.stats()
	w.start()
	w.opened = w.object.through(w, w.tier)
}

// stats returns what happened so far.
func (w *world) stats() Stats {
	sum, now := w.past, w.tier.Stats()
	sum.Hits, sum.Misses, sum.Corrupt, sum.Evicted = sum.Hits+now.Hits, sum.Misses+now.Misses, sum.Corrupt+now.Corrupt, sum.Evicted+now.Evicted
	return sum
}

// Whatever happens to the object, the files and the process, a read returns the bytes of the version that
// was opened.
func TestReadsReturnTheBytesOfTheirVersion(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWorld(t, seed)
			for range 150 {
				switch n := w.random.IntN(20); {
				case n == 0:
					w.change()
				case n == 1:
					w.die()
				case n < 6:
					w.tier.flush()
					w.spoil()
				default:
					w.read()
				}
				if t.Failed() {
					return
				}
			}
			if did := w.stats(); did.Hits < 100 || did.Misses < 50 || did.Corrupt == 0 || did.Evicted == 0 {
				t.Errorf("too little happened: %+v", did)
			}
		})
	}
}

// What was read of the old version stays readable, and what was not fails: never does it have bytes of the new one.
func TestTheOldVersionNeverHasBytesOfTheNewOne(t *testing.T) {
	w := newWorld(t, 9)
	oldData := randomBytes(10, 3*blockBytes)
	w.data = oldData
	w.object.Fake = w.object.Replace(oldData)
	old := w.object.through(t, w.tier)
	wantBytes(t, old, oldData, source.Range{Offset: 5, Length: 9})
	w.change()
	wantBytes(t, w.opened, w.data, source.Range{Length: int64(len(w.data))})
	w.tier.flush()
	wantBytes(t, old, oldData, source.Range{Offset: 7, Length: 9})
	if parts, err := old.ReadRanges(t.Context(), []source.Range{{Offset: 7, Length: 9}, {Offset: 2 * blockBytes, Length: 1}}); !errors.Is(err, source.ErrChanged) {
		t.Errorf("got %v, %v", parts, err)
	}
}
