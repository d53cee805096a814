package stream

import (
	"math/rand/v2"
	"testing"

	"tileserver/raster"
)

// check returns what is wrong with what is counted while some views are in flight.
func (m *memory) check(t *testing.T, inFlight []*View) {
	t.Helper()
	views, blocks, idle := int64(0), int64(0), int64(0)
	for _, v := range inFlight {
		views += v.bytes
		for _, b := range v.blocks {
			if m.held[b.id] != b || b.isIdle() {
				t.Fatalf("block %v of a view in flight was dropped, or is idle", b.id)
			}
		}
	}
	for _, b := range m.held {
		blocks += b.bytes
		if b.isIdle() {
			idle += b.bytes
		}
	}
	if m.bytes != views+blocks || m.idle.bytes != idle || m.views != len(inFlight) {
		t.Fatalf("%d bytes are counted, %d of them idle, and %d views; want %d, %d and %d", m.bytes, m.idle.bytes, m.views, views+blocks, idle, len(inFlight))
	}
	if most := m.stream.config.MaxBytes; most > 0 && m.bytes > most {
		t.Fatalf("%d bytes are held, %d are allowed", m.bytes, most)
	}
}

// Whatever comes when, what is counted is what is held, and nothing is left.
func TestMemoryCountsWhatIsHeld(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 4))
		p := image(random)
		s, err := New(p, randomConfig(random, p.Info()))
		if err != nil {
			t.Fatal(err)
		}
		s.config.MaxBytes = s.maxViewBytes() * int64(random.IntN(4))
		m := newMemory(s)
		var inFlight []*View
		for rank := 0; rank < s.Len() || len(inFlight) > 0; {
			if rank < s.Len() && random.IntN(2) == 0 {
				v := s.newView(rank)
				if missing, isAdmitted := m.admit(v); isAdmitted {
					readSome(m, missing, random)
					inFlight, rank = append(inFlight, v), rank+1
				} else if len(inFlight) == 0 {
					t.Fatalf("seed %d: a view is not admitted though none is in flight", seed)
				}
			} else if len(inFlight) > 0 {
				at := random.IntN(len(inFlight))
				m.release(inFlight[at])
				inFlight = append(inFlight[:at], inFlight[at+1:]...)
			}
			m.check(t, inFlight)
		}
		if m.bytes != 0 || len(m.held) != 0 || m.idle.Len() != 0 {
			t.Fatalf("seed %d: %d bytes and %d blocks are left", seed, m.bytes, len(m.held))
		}
	}
}

// readSome settles blocks, some of which cannot be read.
func readSome(m *memory, blocks []*block, random *rand.Rand) {
	for _, b := range blocks {
		if random.IntN(4) > 0 {
			r := m.stream.level.Block(b.id)
			b.tile = raster.NewBuffer(m.stream.provider.Info().Type, r.Width(), r.Height(), m.stream.bands).Freeze()
		}
		m.settle(b)
	}
}
