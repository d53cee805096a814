package raster

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Loss is one part of a file that could not be decoded. Equal losses mean the same part.
type Loss struct {
	Kind string // what was lost: "code-block", "missing tile"
	Text string // where it is and why it was lost, for people; contains no file name
}

// Damage describes what is lost of some pixels because their file is corrupt. It is immutable. The
// zero Damage means that nothing is lost.
type Damage struct {
	losses []Loss // sorted and distinct
	more   bool   // there are losses beyond MaxLosses
	total  bool
}

// MaxLosses is the maximum number of losses that a Damage lists.
const MaxLosses = 64

// NewDamage returns the damage of pixels that lack some parts of a file. total means that none of
// the parts could be decoded.
func NewDamage(losses []Loss, total bool) Damage {
	if len(losses) == 0 {
		return Damage{}
	}
	return Damage{total: total}.with(losses)
}

// with returns d with more losses.
func (d Damage) with(losses []Loss) Damage {
	all := slices.Concat(d.losses, losses)
	slices.SortFunc(all, compareLosses)
	all = slices.Compact(all)
	if len(all) > MaxLosses {
		all, d.more = slices.Clone(all[:MaxLosses]), true
	}
	d.losses = all
	return d
}

// IsZero reports whether nothing is lost.
func (d Damage) IsZero() bool { return len(d.losses) == 0 }

// IsTotal reports whether no part of the pixels could be decoded.
func (d Damage) IsTotal() bool { return d.total }

// Losses returns the losses, at most MaxLosses. The caller must not modify them.
func (d Damage) Losses() []Loss { return d.losses }

// HasMore reports whether there are more losses than Losses returns.
func (d Damage) HasMore() bool { return d.more }

// Join returns the damage of two sets of pixels together. It is total if both are.
func (d Damage) Join(o Damage) Damage {
	joined := Damage{d.losses, d.more || o.more, d.total && o.total}
	for _, loss := range o.losses {
		at, isListed := slices.BinarySearchFunc(d.losses, loss, compareLosses)
		switch {
		case isListed:
		case at == MaxLosses:
			joined.more = true // it sorts after all listed losses
		default:
			return joined.with(o.losses)
		}
	}
	return joined
}

func compareLosses(a, b Loss) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Text, b.Text))
}

// KindCount is the number of lost parts of one kind.
type KindCount struct {
	Kind  string
	Count int
}

// Counts returns the number of listed losses of each kind, in alphabetical order.
func (d Damage) Counts() (counts []KindCount) {
	for _, loss := range d.losses {
		if last := len(counts) - 1; last >= 0 && counts[last].Kind == loss.Kind {
			counts[last].Count++
			continue
		}
		counts = append(counts, KindCount{loss.Kind, 1})
	}
	return counts
}

// String summarizes the losses: "3 code-blocks, 1 missing tile".
func (d Damage) String() string {
	var words []string
	for _, c := range d.Counts() {
		words = append(words, fmt.Sprintf("%d %s%s", c.Count, c.Kind, plural(c.Count)))
	}
	text := strings.Join(words, ", ")
	if d.more {
		text += " and more"
	}
	return text
}

func plural(count int) string {
	if count == 1 {
		return ""
	}
	return "s"
}

// Size returns the approximate memory use of d in bytes.
func (d Damage) Size() int64 {
	if d.IsZero() {
		return 0
	}
	const perLoss = 32
	n := int64(64)
	for _, loss := range d.losses {
		n += perLoss + int64(len(loss.Text))
	}
	return n
}

// AddDamage adds d to the damage of b. A zero d records that sound pixels are part of b.
func (b *Buffer) AddDamage(d Damage) {
	if d.IsZero() {
		b.p.addDamage(nil)
		return
	}
	lost := d // allocate only if there is damage
	b.p.addDamage(&lost)
}

// InheritDamage records that pixels of b were computed from pixels of t, and adds the damage of t.
// A buffer is totally damaged if all tiles that it was computed from are.
func (b *Buffer) InheritDamage(t Tile) {
	if t.p != nil {
		b.p.addDamage(t.p.damage)
	}
}

// Damage returns the recorded damage of b.
func (b *Buffer) Damage() Damage { return damageOf(b.p.damage) }

// Damage returns the damage of t.
func (t Tile) Damage() Damage {
	if t.p == nil {
		return Damage{}
	}
	return damageOf(t.p.damage)
}

// addDamage joins the damage of more pixels with the damage recorded so far. A nil d means no
// damage.
func (p *pixels) addDamage(d *Damage) {
	switch {
	case !p.hasSource:
		p.hasSource, p.damage = true, d
	case p.damage == d:
	default:
		joined := damageOf(p.damage).Join(damageOf(d))
		p.damage = &joined
	}
}

func damageOf(d *Damage) Damage {
	if d == nil {
		return Damage{}
	}
	return *d
}
