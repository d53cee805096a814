package packets

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/decode/jp2k/packets/packetstest"
)

func TestOrderIsThatOfTheStandard(t *testing.T) {
	for seed := range uint64(250) {
		shape := packetstest.RandomShape(rand.New(rand.NewPCG(seed, 2)))
		tile := shape.Tile()
		l, err := newLayout(tile, DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		var got []packetstest.Packet
		for p := range newOrder(l).packets {
			got = append(got, packetstest.Packet{Component: p.level.component, Resolution: p.level.resolution, Precinct: p.precinct, Layer: p.layer})
		}
		if want := packetstest.Order(tile); !slices.Equal(got, want) {
			t.Fatalf("seed %d, %+v:\ngot  %v\nwant %v", seed, *shape, got, want)
		}
	}
}
