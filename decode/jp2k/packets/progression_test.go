package packets

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets/packetstest"
)

// An order whose context has ended yields nothing more and begins no other progression.
func TestOrderEndsWithItsContext(t *testing.T) {
	for _, layers := range []int{0, 1} {
		tile := packetstest.RandomShape(rand.New(rand.NewPCG(1, 2))).Tile()
		tile.Progressions = slices.Repeat([]codestream.Progression{{EndResolution: 33, EndComponent: 3, EndLayer: layers}}, 9)
		l, err := newLayout(tile, DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		if layers == 0 {
			leave() // there is no packet to cancel at
		}
		o, count := newOrder(ctx, l), 0
		for range o.packets {
			leave()
			count++
		}
		if maxCost := visitsPerLevel * len(l.levels); count != layers || o.idle < idleVisits-maxCost {
			t.Errorf("%d layers: %d packets and %d idle visits, want %d and at most %d", layers, count, idleVisits-o.idle, layers, maxCost)
		}
	}
}

func TestOrderMatchesStandard(t *testing.T) {
	for seed := range uint64(250) {
		shape := packetstest.RandomShape(rand.New(rand.NewPCG(seed, 2)))
		tile := shape.Tile()
		l, err := newLayout(tile, DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		var got []packetstest.Packet
		for p := range newOrder(t.Context(), l).packets {
			got = append(got, packetstest.Packet{Component: p.level.component, Resolution: p.level.resolution, Precinct: p.precinct, Layer: p.layer})
		}
		if want := packetstest.Order(tile); !slices.Equal(got, want) {
			t.Fatalf("seed %d, %+v:\ngot  %v\nwant %v", seed, *shape, got, want)
		}
	}
}
