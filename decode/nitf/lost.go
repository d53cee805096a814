package nitf

import (
	"context"
	"fmt"
	"strings"

	"tileserver/decode"
	"tileserver/decode/nitf/masks"
	"tileserver/decode/nitf/segments"
	"tileserver/raster"
)

// A piece is lost if its bytes are corrupt or lie beyond the end of the file. Its pixels become
// nodata, and its tile carries a raster.Damage that says why.

// lostBlock is the kind of a lost block in a raster.Loss.
const lostBlock = "block"

var errBeyondEnd = fmt.Errorf("the file ends before it: %w", segments.ErrCorrupt)

func hasLost(plans []blockPlan) bool {
	for i := range plans {
		for j := range plans[i].pieces {
			if plans[i].pieces[j].lost != nil {
				return true
			}
		}
	}
	return false
}

// attachLosses attaches the losses of a block to its buffer. The damage is total if nothing of the
// block could be decoded.
func (m *blockImage) attachLosses(b *blockPlan) {
	var losses []raster.Loss
	isTotal := true
	for i := range b.pieces {
		p := &b.pieces[i]
		if p.lost == nil {
			isTotal = isTotal && p.at.state != masks.Stored
			continue
		}
		if len(losses) <= raster.MaxLosses {
			losses = append(losses, m.loss(p))
		}
	}
	if len(losses) == 0 {
		return
	}
	b.buffer.AddDamage(raster.NewDamage(losses, isTotal))
	m.file.warned.Do(func() { m.file.config.Warn(losses[0].Text) })
}

func (m *blockImage) loss(p *piece) raster.Loss {
	where := fmt.Sprintf("block %d of image %d", p.entry%m.grid.count(), m.number+1)
	if m.coding.isPlanar && m.coding.bands > 1 {
		where = fmt.Sprintf("block %d of band %d of image %d", p.entry%m.grid.count(), p.band+1, m.number+1)
	}
	reason := strings.TrimPrefix(p.lost.Error(), decode.ErrCorruptBlock.Error()+": ")
	return raster.Loss{Kind: lostBlock, Text: where + ": " + reason}
}

// Missing returns which blocks the file ends before, if that shows without reading all of it. The
// damage is total if the file has no block of the image. If known is false, any block may still be
// corrupt.
func (m *blockImage) Missing(ctx context.Context) (damage raster.Damage, known bool, err error) {
	if m.unsupported != nil {
		return raster.Damage{}, false, nil
	}
	const maxEntries = 1 << 20
	total := m.grid.count() * int64(m.coding.planes())
	if _, isScanned := m.index.(*streams); isScanned || m.parts != nil {
		total = 1 // the others are found by reading all before them
	}
	first := max(0, total-maxEntries)
	sound, losses := first, []raster.Loss(nil)
	for ; first < total; first += masks.EntriesPerRead {
		if err := context.Cause(ctx); err != nil {
			return raster.Damage{}, false, err
		}
		entries := make([]int64, 0, masks.EntriesPerRead)
		for n := first; n < min(first+masks.EntriesPerRead, total); n++ {
			entries = append(entries, n)
		}
		places, err := m.index.find(ctx, entries)
		if err != nil {
			return raster.Damage{}, false, m.wrapError(err)
		}
		for i, at := range places {
			if at.state != masks.Lost {
				sound++
			}
			isCut := at.state == masks.Lost || at.state == masks.Stored && at.where.Length < m.raw.wholeBytes(&m.coding)
			if isCut && len(losses) <= raster.MaxLosses {
				losses = append(losses, m.loss(&piece{entry: entries[i], lost: errBeyondEnd}))
			}
		}
	}
	damage = raster.NewDamage(losses, sound == 0)
	return damage, !damage.IsZero(), nil
}
