package components

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"tileserver/decode"
	"tileserver/decode/jp2k/ht"
	"tileserver/decode/jp2k/packets"
)

func TestDamageIsReportedOncePerKind(t *testing.T) {
	var told []string
	d := damage{warn: func(note string) { told = append(told, note) }}
	for i := range 3 {
		d.report("tile", "tile %d", i)
		d.report("packets", "packets of tile %d", i)
	}
	if want := []string{"tile 0", "packets of tile 0"}; !slices.Equal(told, want) || !slices.Equal(d.reported(), want) {
		t.Errorf("reported %q, stored as %q", told, d.reported())
	}
	for i := range 2 * maxNotes {
		d.report(fmt.Sprint(i), "more")
	}
	if len(told) != maxNotes || len(d.reported()) != maxNotes {
		t.Errorf("%d were reported and %d stored, want %d", len(told), len(d.reported()), maxNotes)
	}
}

// A damaged code-block costs its coefficients. An unsupported one fails the request, since it may
// be sound.
func TestDamagedAndUnsupportedCodeBlocks(t *testing.T) {
	block := func(planes int) codeBlock {
		return codeBlock{width: 4, height: 4, bitPlanes: planes, Block: packets.Block{HT: true, Passes: 1, Length: 2, Segments: []packets.Segment{{Passes: 1, Length: 2}}}, data: [][]byte{{1, 2}}}
	}
	d := newDecodeJob([]codeBlock{block(8), block(8), block(ht.MaxBitPlanes + 1)}, new(sync.Pool))
	if err := d.Do(0); err != nil {
		t.Error(err)
	}
	for i := range 2 {
		if d.made[i].lost == nil || d.made[i].numbers != nil {
			t.Errorf("a damaged code-block: lost for %v, and it has %v", d.made[i].lost, d.made[i].numbers)
		}
	}
	if err := d.Do(1); !errors.Is(failure(err), decode.ErrUnsupported) || d.made[2].lost != nil {
		t.Errorf("one that cannot be decoded: %v, lost for %v", err, d.made[2].lost)
	}
}
