package disktier

import (
	"bytes"
	"context"
	"math/rand/v2"
	"path"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tileserver/cache/disk"
	"tileserver/source"
	"tileserver/source/sourcetest"
)

// openTier opens a tier in a folder until the test ends.
func openTier(t testing.TB, folder string) *Tier {
	t.Helper()
	tier, err := Open(Config{Folder: folder, MaxBytes: MinBytes, OnFailure: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tier.Close)
	return tier
}

// flush waits until all blocks are written.
func (t *Tier) flush() {
	for isWaiting := true; isWaiting; time.Sleep(time.Millisecond) {
		t.queue.mu.Lock()
		isWaiting = len(t.queue.waiting) > 0
		t.queue.mu.Unlock()
	}
}

func TestAStoreOverATierConforms(t *testing.T) {
	sourcetest.RunStore(t, func(t *testing.T) sourcetest.Fixture { return fixtureOver(openTier(t, t.TempDir())) })
}

// The tests of the suite find blocks of each other.
func TestAStoreOverAUsedTierConforms(t *testing.T) {
	tier := openTier(t, t.TempDir())
	for range 2 {
		sourcetest.RunStore(t, func(*testing.T) sourcetest.Fixture { return fixtureOver(tier) })
		tier.flush()
	}
	if stats := tier.Stats(); stats.Hits < 2*stats.Misses {
		t.Errorf("what was read again was fetched again: %+v", stats)
	}
}

func fixtureOver(tier *Tier) sourcetest.Fixture {
	s := sourcetest.NewStore()
	return sourcetest.Fixture{
		Store: tier.Over(s), Join: path.Join, Drop: s.Remove,
		Put: func(path, data string) { s.Put(path, []byte(data), time.Hour) },
	}
}

// fakeStore has one fake object.
type fakeStore struct {
	source.Store
	object *fakeObject
}

func (s fakeStore) Open(context.Context, string) (source.Object, error) { return s.object, nil }

// fakeObject is a fake source with an identity.
type fakeObject struct {
	source.Object // nil: the rest is not asked for
	*sourcetest.Fake
	id       string
	idErr    error
	idAsked  atomic.Int64
	siblings map[string]source.Source
	panics   atomic.Bool // when it is read
	size     int64       // that it claims to have; 0 is that of its bytes
}

func (o *fakeObject) Name() string    { return o.Fake.Name() }
func (o *fakeObject) Version() string { return o.Fake.Version() }
func (o *fakeObject) Size() int64     { return max(o.size, o.Fake.Size()) }
func (o *fakeObject) Close() error    { return o.Fake.Close() }

func (o *fakeObject) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	if o.panics.Load() {
		panic("a defect")
	}
	return o.Fake.ReadRanges(ctx, ranges)
}

func (o *fakeObject) Identity(context.Context) (string, error) {
	o.idAsked.Add(1)
	return o.id, o.idErr
}

func (o *fakeObject) Sibling(_ context.Context, name string) (source.Source, error) {
	return o.siblings[name], nil
}

// randomBytes returns bytes that differ from block to block.
func randomBytes(seed uint64, length int) []byte {
	random, data := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)}), make([]byte, length)
	_, _ = random.Read(data) // never fails
	return data
}

func newFake(data []byte) *fakeObject {
	return &fakeObject{Fake: sourcetest.NewFake(data), id: "identity", siblings: make(map[string]source.Source)}
}

// through opens an object through a tier.
func (o *fakeObject) through(t testing.TB, tier *Tier) source.Object {
	t.Helper()
	opened, err := tier.Over(fakeStore{object: o}).Open(t.Context(), "path")
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

// wantBytes reads ranges and compares them with the data.
func wantBytes(t testing.TB, s source.Source, data []byte, ranges ...source.Range) {
	t.Helper()
	parts, err := s.ReadRanges(t.Context(), ranges)
	if err != nil || len(parts) != len(ranges) {
		t.Errorf("%v: %d parts, %v", ranges, len(parts), err)
		return
	}
	for i, r := range ranges {
		if !bytes.Equal(parts[i], data[r.Offset:r.End()]) || parts[i] == nil || cap(parts[i]) != len(parts[i]) {
			t.Errorf("the bytes of %v are others, or there are more", r)
		}
	}
}

// fakeKeeper keeps blocks in memory. It hangs on demand.
type fakeKeeper struct {
	mu     sync.Mutex // guards the fields below
	kept   map[blockKey][]byte
	fills  int
	err    error         // of all that is written
	reads  chan struct{} // if not nil, reads wait for it, or the end of their contexts
	writes chan struct{} // if not nil, writes wait for it
}

func newKeeper() *fakeKeeper { return &fakeKeeper{kept: make(map[blockKey][]byte)} }

// tier returns a tier of the keeper.
func (k *fakeKeeper) tier() *Tier {
	t := &Tier{config: Config{OnFailure: func(error) {}, Storage: disk.NewStorage(disk.StorageConfig{})}}
	t.keep(k)
	return t
}

func (k *fakeKeeper) mayContain(key blockKey) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.kept[key] != nil
}

func (k *fakeKeeper) fill(ctx context.Context, key blockKey, block []byte) bool {
	k.mu.Lock()
	k.fills++
	kept, gate := k.kept[key], k.reads
	k.mu.Unlock()
	if gate != nil {
		select {
		case <-gate:
		case <-ctx.Done():
			return false
		}
	}
	return len(kept) == len(block) && copy(block, kept) > 0
}

func (k *fakeKeeper) put(_ context.Context, key blockKey, block []byte) error {
	k.mu.Lock()
	gate := k.writes
	k.mu.Unlock()
	if gate != nil {
		<-gate
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err == nil {
		k.kept[key] = bytes.Clone(block)
	}
	return k.err
}
