package build

import "sync/atomic"

// Progress tells how far a build is, from any goroutine. A nil Progress tells nobody.
type Progress struct{ total, made atomic.Int64 }

func (p *Progress) begin(total int64) {
	if p != nil {
		p.total.Store(total)
	}
}

func (p *Progress) add(blocks int64) {
	if p != nil {
		p.made.Add(blocks)
	}
}

// Made returns how many blocks of level 0 are made with all that they complete, and how many there are. That
// is 0 before the build begins.
func (p *Progress) Made() (made, total int64) { return p.made.Load(), p.total.Load() }
