package kerneltest

const (
	stripeRows   = 4
	groupColumns = 6
	groupSlots   = 24

	firstRows  = 0x1111_1111
	lastRows   = 0x8888_8888
	columnMask = 15
	sides      = 0x101 // the columns beside a slot, from four slots before it
)

// rows has a window of what is known of coefficients, of those above and of those below.
type rows struct{ above, own, below uint32 }

// rowsOf returns the rows of three stripes, of which the second is the group's.
func rowsOf(above, own, below uint32) rows {
	return rows{
		own<<1&^firstRows | above>>3&firstRows,
		own,
		own>>1&^lastRows | below<<3&lastRows,
	}
}

// including returns rows with one coefficient more.
func including(r rows, slot uint32) rows {
	only := rowsOf(0, 1<<slot, 0)
	return rows{r.above | only.above, r.own | only.own, r.below | only.below}
}

// neighbors returns the slots beside which, above which or below which something is in rows.
func neighbors(r rows) uint32 {
	all := r.above | r.own | r.below
	return all<<stripeRows | all>>stripeRows | r.above | r.below
}

// The memory of a block: its state, then fields. A field has a word for each group, with the slots of a window,
// and for a border around the groups.
const (
	registers  = 10
	stateWords = registers + contextCount

	significantField = 0
	negativeField    = 1
	visitedField     = 2 // in the last significance pass
	refinedField     = 3 // ever
	firstPlane       = 4 // of the values' bits, one field each; a value is twice the coefficient
)

// fieldOf returns the index of the first word of a field.
func (v *invocation) fieldOf(field uint32) uint32 {
	return v.block.Scratch + stateWords + field*((v.columns+1)*(v.stripes+2)+1)
}

// recordOf returns the number of a group in each field.
func (v *invocation) recordOf(column, stripe uint32) uint32 {
	return (v.columns+1)*(stripe+1) + column + 1
}

// windowOf returns the window of a group.
func (v *invocation) windowOf(group uint32) uint32 {
	return v.Scratch[group-1]>>groupSlots | v.Scratch[group] | v.Scratch[group+1]<<groupSlots
}

// registers are what is kept from step to step, beside the contexts.
func (v *invocation) registers() [registers]*uint32 {
	return [...]*uint32{
		&v.segment, &v.until, &v.position, &v.end, &v.interval, &v.code, &v.ahead,
		&v.passNumber, &v.stripe, &v.column,
	}
}

func (v *invocation) load() {
	for i, register := range v.registers() {
		*register = v.Scratch[v.block.Scratch+uint32(i)]
	}
	copy(v.contexts[:], v.Scratch[v.block.Scratch+registers:])
}

func (v *invocation) save() {
	for i, register := range v.registers() {
		v.Scratch[v.block.Scratch+uint32(i)] = *register
	}
	copy(v.Scratch[v.block.Scratch+registers:], v.contexts[:])
}
