package raster

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Loss is one part of a file that could not be decoded. Equal losses are the same part.
type Loss struct {
	Part string // its kind: "code-block", "missing tile"
	Text string // where it is and why it was lost, for people; never the name of a file
}

// Damage tells what is lost of some pixels because their file is damaged. It is immutable. The
// zero Damage says that nothing is lost.
type Damage struct {
	losses []Loss // sorted and distinct
	more   bool   // losses is at its limit
	total  bool
}

// MaxLosses is how many losses a Damage lists.
const MaxLosses = 64

// NewDamage returns the damage of pixels that miss some parts of a file. It is total if none of
// the parts that the pixels need could be decoded.
func NewDamage(losses []Loss, total bool) Damage {
	if len(losses) == 0 {
		return Damage{}
	}
	return Damage{total: total}.with(losses)
}

// with adds losses.
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

// IsTotal reports whether nothing of the pixels could be decoded.
func (d Damage) IsTotal() bool { return d.total }

// Losses lists what is lost, at most MaxLosses of it. It must not be written.
func (d Damage) Losses() []Loss { return d.losses }

// HasMore reports whether there are more losses than are listed.
func (d Damage) HasMore() bool { return d.more }

// Join returns the damage of two sets of pixels together. It is total if that of both is.
func (d Damage) Join(o Damage) Damage {
	joined := Damage{d.losses, d.more || o.more, d.total && o.total}
	for _, loss := range o.losses {
		at, isListed := slices.BinarySearchFunc(d.losses, loss, compareLosses)
		switch {
		case isListed:
		case at == MaxLosses:
			joined.more = true // it comes after all that are listed
		default:
			return joined.with(o.losses)
		}
	}
	return joined
}

func compareLosses(a, b Loss) int {
	return cmp.Or(cmp.Compare(a.Part, b.Part), cmp.Compare(a.Text, b.Text))
}

// PartCount is how many parts of one kind are lost.
type PartCount struct {
	Part  string
	Count int
}

// Counts returns the numbers of the listed losses by their kind, in alphabetical order.
func (d Damage) Counts() (counts []PartCount) {
	for _, loss := range d.losses {
		if last := len(counts) - 1; last >= 0 && counts[last].Part == loss.Part {
			counts[last].Count++
			continue
		}
		counts = append(counts, PartCount{loss.Part, 1})
	}
	return counts
}

// String says how much is lost: "3 code-blocks, 1 missing tile".
func (d Damage) String() string {
	var words []string
	for _, c := range d.Counts() {
		words = append(words, fmt.Sprintf("%d %s%s", c.Count, c.Part, plural(c.Count)))
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

// Size is about how much memory d takes.
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

// AddDamage notes that pixels of b are damaged, beside what is noted already.
func (b *Buffer) AddDamage(d Damage) {
	if d.IsZero() {
		b.p.addDamage(nil)
		return
	}
	lost := d // on the heap only where there is damage
	b.p.addDamage(&lost)
}

// InheritDamage notes that pixels of b are made of those of t: they are damaged as those are. A buffer
// is totally damaged if all tiles that it is made of are.
func (b *Buffer) InheritDamage(t Tile) {
	if t.p != nil {
		b.p.addDamage(t.p.damage)
	}
}

// Damage returns what was noted to be lost of the pixels of b.
func (b *Buffer) Damage() Damage { return damageOf(b.p.damage) }

// Damage returns what is lost of the pixels of t.
func (t Tile) Damage() Damage {
	if t.p == nil {
		return Damage{}
	}
	return damageOf(t.p.damage)
}

// addDamage joins the damage of more pixels, nil being none, with that of those before them.
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
