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
// nodata, and its tile carries a raster.Damage that says why. Of a piece that the file ends within,
// or of a damaged fax or JPEG, only the rest is lost.

// lostBlock is the kind of a lost block in a raster.Loss.
const lostBlock = "block"

var (
	errBeyondEnd = fmt.Errorf("the file ends before it: %w", segments.ErrCorrupt)
	errCut       = fmt.Errorf("the file ends within it: %w", segments.ErrCorrupt)
)

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
		isTotal = isTotal && (p.lost != nil || p.at.state != masks.Stored)
		if len(losses) <= raster.MaxLosses {
			losses = append(losses, m.lossesOf(p)...)
		}
	}
	if len(losses) == 0 {
		return
	}
	b.buffer.AddDamage(raster.NewDamage(losses, isTotal))
	m.file.warned.Do(func() { m.file.config.Warn(losses[0].Text) })
}

// lossesOf returns what is lost of a piece. One that the file ends within is a single loss, the one
// that Missing finds.
func (m *blockImage) lossesOf(p *piece) (losses []raster.Loss) {
	switch {
	case p.lost != nil:
		return []raster.Loss{m.loss(p, p.lost)}
	case p.job.Lost == nil:
		return nil
	case m.coding.isRaw():
		return []raster.Loss{m.loss(p, errCut)}
	}
	for _, part := range p.job.Lost.Damage.Losses() {
		losses = append(losses, raster.Loss{Kind: part.Kind, Text: m.nameOf(p) + ": " + part.Text})
	}
	return losses
}

func (m *blockImage) loss(p *piece, why error) raster.Loss {
	reason := strings.TrimPrefix(why.Error(), decode.ErrCorruptBlock.Error()+": ")
	return raster.Loss{Kind: lostBlock, Text: m.nameOf(p) + ": " + reason}
}

func (m *blockImage) nameOf(p *piece) string {
	number := p.entry % m.grid.count()
	if m.coding.isPlanar && m.coding.bands > 1 {
		return fmt.Sprintf("block %d of band %d of image segment %d", number, p.band+1, m.number+1)
	}
	return fmt.Sprintf("block %d of image segment %d", number, m.number+1)
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
	if _, isScanned := m.index.(*streams); isScanned || m.strips != nil {
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
			if why := m.cutOff(at); why != nil && len(losses) <= raster.MaxLosses {
				losses = append(losses, m.loss(&piece{entry: entries[i]}, why))
			}
		}
	}
	damage = raster.NewDamage(losses, sound == 0)
	return damage, !damage.IsZero(), nil
}

// cutOff returns why the file does not have all of a block, or nil if it does or only the codec can
// tell.
func (m *blockImage) cutOff(at location) error {
	switch {
	case at.state == masks.Lost:
		return errBeyondEnd
	case at.state == masks.Stored && at.where.Length < m.raw.wholeBytes(&m.coding):
		return errCut
	}
	return nil
}
