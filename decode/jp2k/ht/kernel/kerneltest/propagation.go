package kerneltest

import "tileserver/gpu/gputest"

// A window is a word with the slots of a group and of the columns beside it: slot 4*column+row, so that the
// group has slots 4 to 19.
const (
	stripeRows = 4
	groupMask  = 0xFFFF
	firstRows  = 0x1111_1111
	lastRows   = 0x8888_8888
	columnMask = 15
)

// propagator is where an invocation is in the streams of the passes after the first.
type propagator struct {
	invocation
	sigProp stream

	sigPropPosition uint32 // of the next bit
	refined         uint32 // position of the next bit of MagRef
}

// propagate decodes which samples the second pass of a code-block adds, and with which signs. It finds where
// the third pass begins in each group.
func propagate(index int, m *gputest.Memory) {
	p := propagator{invocation: begin(index, m)}
	if p.job.passes < 2 {
		return
	}
	p.gather()
	p.sigProp = p.streamOf(sigPropStream, 0)
	for stripe := range p.stripes {
		for group := range p.across {
			p.propagateGroup(group, stripe)
		}
	}
}

// gather collects what the quads say of groups.
func (p *propagator) gather() {
	for stripe := range p.stripes {
		for group := range p.across {
			p.Scratch[p.groupAt(knownField, group, stripe)] = p.inQuads(group, stripe) & p.inside(group, stripe)
		}
	}
}

// inQuads returns the significant samples of the four quads of a group.
func (p *propagator) inQuads(group, stripe uint32) (known uint32) {
	for i := range uint32(4) {
		column, row := 2*group+i/2, 2*stripe+i%2
		if column < p.columns && row < p.rows {
			rho := p.Scratch[p.quadAt(column, row)]
			known |= (rho&3 | rho&12<<2) << (8*(i/2) + 2*(i%2))
		}
	}
	return known
}

// inside returns the samples of a group that are in the block.
func (p *propagator) inside(group, stripe uint32) uint32 {
	right := min(p.job.width-4*group, 4)
	bottom := min(p.job.height-stripeRows*stripe, stripeRows)
	return firstRows * (1<<bottom - 1) & (1<<(stripeRows*right) - 1)
}

// windowOf returns the window of a group.
func (p *propagator) windowOf(group, stripe uint32) uint32 {
	at := p.groupAt(knownField, group, stripe)
	return p.Scratch[at-1]>>12 | p.Scratch[at]<<4 | p.Scratch[at+1]<<20
}

// near returns the samples of a group that have significant ones around them.
func (p *propagator) near(group, stripe uint32) uint32 {
	own := p.windowOf(group, stripe)
	all := own | own<<1&^firstRows | own>>1&^lastRows | p.windowOf(group, stripe-1)>>3&firstRows
	if p.job.isCausal == 0 {
		all |= p.windowOf(group, stripe+1) << 3 & lastRows
	}
	return (all | all<<stripeRows | all>>stripeRows) >> stripeRows & groupMask
}

// propagateGroup decodes which samples of a group are added, and then their signs. That takes at most 32 bits.
func (p *propagator) propagateGroup(group, stripe uint32) {
	at := p.groupAt(knownField, group, stripe)
	known := p.Scratch[at]
	p.Scratch[p.groupAt(refinedField, group, stripe)] = p.refined
	p.refined += onesIn(known)
	candidates := p.inside(group, stripe) &^ known
	open := p.near(group, stripe) & candidates
	if open == 0 {
		return
	}
	coded, fresh := p.bitsAt(p.sigProp, p.sigPropPosition), uint32(0)
	for open != 0 {
		slot := trailingZeros(open)
		open &= open - 1
		if coded&1 != 0 {
			fresh |= 1 << slot
			open |= following(slot) & candidates
		}
		coded >>= 1
		p.sigPropPosition++
	}
	p.sigPropPosition += onesIn(fresh)
	p.Scratch[at] = known | fresh
	p.Scratch[p.groupAt(freshField, group, stripe)] = fresh | coded<<16
}

// following returns the slots that are beside one and come after it: one in its column, three in the next.
func following(slot uint32) uint32 {
	row := slot % stripeRows
	return (uint32(2)<<row&columnMask | uint32(7)<<row>>1&columnMask<<stripeRows) << (slot - row)
}
