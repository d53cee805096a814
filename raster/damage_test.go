package raster

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func loss(part string, number int) Loss { return Loss{part, fmt.Sprintf("%s %03d", part, number)} }

func lossesOf(part string, from, to int) (losses []Loss) {
	for i := from; i < to; i++ {
		losses = append(losses, loss(part, i))
	}
	return losses
}

func TestDamageCountsEachLossOnce(t *testing.T) {
	a := NewDamage([]Loss{loss("tile", 3), loss("code-block", 1), loss("tile", 3)}, false)
	b := NewDamage([]Loss{loss("tile", 3), loss("tile", 1)}, true)
	joined := a.Join(b)
	if want := []KindCount{{"code-block", 1}, {"tile", 2}}; !slices.Equal(joined.Counts(), want) {
		t.Errorf("counts are %v, want %v", joined.Counts(), want)
	}
	if want := "1 code-block, 2 tiles"; joined.String() != want {
		t.Errorf("it is %q, want %q", joined, want)
	}
	if a.String() != "1 code-block, 1 tile" {
		t.Errorf("joining has changed what was joined: %v", a)
	}
	if joined.IsTotal() || !b.Join(b).IsTotal() || b.Join(Damage{}).IsTotal() || (Damage{}).Join(b).IsTotal() {
		t.Error("together, pixels are totally lost where one of them is not, or not where both are")
	}
}

func TestDamageIsBounded(t *testing.T) {
	few := NewDamage(lossesOf("tile", 0, MaxLosses), false)
	many := few.Join(NewDamage(lossesOf("tile", MaxLosses, 3*MaxLosses), false))
	if few.HasMore() || !many.HasMore() || len(many.Losses()) != MaxLosses {
		t.Errorf("%v has more: %v; %v has more: %v, and %d are listed", few, few.HasMore(), many, many.HasMore(), len(many.Losses()))
	}
	if again := few.Join(many); !again.HasMore() {
		t.Error("that there are more is forgotten")
	}
	if nothing := NewDamage(nil, true); !nothing.IsZero() || nothing.IsTotal() || nothing.Size() != 0 {
		t.Errorf("no losses are damage: %+v", nothing)
	}
}

// A cached picture reports its damage each time it is sent, and most of a file may be lost. Joining
// damage that is already listed must therefore not allocate.
func TestJoiningKnownLossesAllocatesNothing(t *testing.T) {
	known := NewDamage(lossesOf("tile", 0, MaxLosses), true)
	for name, again := range map[string]Damage{
		"listed": NewDamage(lossesOf("tile", 7, 30), false), "beyond": NewDamage(lossesOf("tile", MaxLosses-3, MaxLosses+9), false),
	} {
		if n := testing.AllocsPerRun(10, func() { known.Join(again) }); n > 0 {
			t.Errorf("joining what is %s takes %.0f allocations", name, n)
		}
		joined := known.Join(again)
		if joined.IsTotal() || len(joined.Losses()) != MaxLosses || joined.HasMore() != (name == "beyond") {
			t.Errorf("with what is %s, together they are %+v", name, joined)
		}
	}
}

// Many goroutines decode a damaged file at once. The result must not depend on their order.
func TestJoinIgnoresTheOrderOfLosses(t *testing.T) {
	all := lossesOf("tile", 0, 3*MaxLosses)
	for seed := range uint64(10) {
		random := rand.New(rand.NewPCG(seed, 1))
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		var joined Damage
		for some := range slices.Chunk(all, 1+random.IntN(2*MaxLosses)) {
			joined = joined.Join(NewDamage(some, false))
		}
		if !slices.Equal(joined.Losses(), lossesOf("tile", 0, MaxLosses)) || !joined.HasMore() {
			t.Fatalf("seed %d: they are %v, more: %v", seed, joined.Losses(), joined.HasMore())
		}
	}
}

func TestBuffersInheritDamage(t *testing.T) {
	tile := func(d Damage) Tile {
		b := NewBuffer(Uint8, 3, 2, 2)
		b.AddDamage(d)
		return b.Freeze()
	}
	sound, part := tile(Damage{}), tile(NewDamage([]Loss{loss("code-block", 1)}, false))
	gone, other := tile(NewDamage([]Loss{loss("tile", 1)}, true)), tile(NewDamage([]Loss{loss("tile", 2)}, true))
	for name, test := range map[string]struct {
		from  []Tile
		text  string
		total bool
	}{
		"nothing":             {nil, "", false},
		"no pixels":           {[]Tile{{}}, "", false},
		"sound ones":          {[]Tile{sound, sound}, "", false},
		"one that is gone":    {[]Tile{gone}, "1 tile", true},
		"two that are gone":   {[]Tile{gone, other}, "2 tiles", true},
		"gone, then sound":    {[]Tile{gone, sound}, "1 tile", false},
		"sound, then gone":    {[]Tile{sound, gone, other}, "2 tiles", false},
		"gone, then in parts": {[]Tile{gone, part, gone}, "1 code-block, 1 tile", false},
	} {
		b := NewBuffer(Uint8, 3, 2, 1)
		for _, tile := range test.from {
			b.InheritDamage(tile)
		}
		made := b.Freeze()
		if d := made.Damage(); d.String() != test.text || d.IsTotal() != test.total || d.IsZero() != (test.text == "") {
			t.Errorf("%s: %q, total: %v; want %q, %v", name, d, d.IsTotal(), test.text, test.total)
		}
	}
	for name, same := range map[string]Tile{
		"another validity": part.WithValidity(make([]uint8, 6)), "one a band": part.WithBandValidity(make([][]uint8, 2)), "shared": part.Shared(),
	} {
		if same.Damage().String() != "1 code-block" {
			t.Errorf("a tile with %s has lost its damage", name)
		}
	}
	if part.Size() <= sound.Size() {
		t.Errorf("a damaged tile takes %d bytes, a sound one %d", part.Size(), sound.Size())
	}
}
