package kerneltest

// The scratch memory has what invocations keep between steps, then all blocks.
const (
	stateWords    = 9
	blockWords    = 32 // two coefficients in each
	blockSize     = 64
	maxComponents = 4
)

// place is where an invocation is in the picture.
type place struct {
	lane        uint32
	turn        uint32 // how many intervals of the invocation are decoded
	interval    uint32
	intervals   uint32
	number      uint32 // of the block in the interval
	blocks      uint32 // of the interval
	coefficient uint32 // the next one in the order of the stream
	predictions [maxComponents]int32
	isDamaged   bool

	component uint32
	block     uint32 // where its coefficients are in the scratch memory
}

// enterInterval begins an interval, or goes on with it.
func (v *invocation) enterInterval() {
	v.interval = v.turn*lanes + v.lane
	if v.interval >= v.intervals {
		return
	}
	v.blocks = min(v.job.unitsEach, v.units-v.interval*v.job.unitsEach) * v.blocksOfUnit
	ends := v.job.input + v.job.ends + v.interval
	v.start = 0
	if v.interval > 0 {
		v.start = v.Input[ends-1]
	}
	v.end = 8 * (v.Input[ends] - v.start)
	v.enterBlock()
}

// enterBlock finds out where a block belongs.
func (v *invocation) enterBlock() {
	unit := v.interval*v.job.unitsEach + v.number/v.blocksOfUnit
	left := v.number % v.blocksOfUnit
	first := uint32(0) // block of the component
	v.component = 0
	for v.component+1 < v.job.components && left >= v.blocksWide(v.component)*v.blocksHigh(v.component) {
		left -= v.blocksWide(v.component) * v.blocksHigh(v.component)
		first += v.units * v.blocksWide(v.component) * v.blocksHigh(v.component)
		v.component++
	}
	wide := v.blocksWide(v.component)
	row := unit/v.job.unitsWide*v.blocksHigh(v.component) + left/wide
	column := unit%v.job.unitsWide*wide + left%wide
	v.block = v.job.scratch + lanes*stateWords + blockWords*(first+row*v.job.unitsWide*wide+column)
}

// takeCoefficient takes the next coefficient of a block that is not 0.
func (v *invocation) takeCoefficient() {
	isFirst := v.coefficient == 0
	bits := v.peek()
	codes := v.job.codes >> (8 * v.component)
	if !isFirst {
		codes >>= 4
	}
	found := v.decode(v.job.input+quantizerWords*v.job.components+tableWords*(codes&15), bits)
	length, size := found&0xFF, found>>8
	if !isFirst {
		v.coefficient += size >> 4
		size &= 15
	}
	// A first coefficient of more bits is only in streams without losses.
	v.isDamaged = found == 0 || size > 15
	if v.isDamaged {
		return
	}
	v.position += length + size
	isEnd := !isFirst && size == 0 && found>>12 != 15
	switch {
	case isEnd:
		v.coefficient = blockSize
	case v.coefficient >= blockSize:
		v.isDamaged = true
	default:
		v.put(valueOf(bits<<length, size), isFirst)
	}
	v.isDamaged = v.isDamaged || v.position > v.end
	if v.coefficient == blockSize {
		v.leaveBlock()
	}
}

// put stores a coefficient, times its quantizer. Products have 16 bits on the cores.
func (v *invocation) put(value int32, isFirst bool) {
	coded := value
	if isFirst {
		coded += v.predictions[v.component]
		v.predictions[v.component] = coded
	}
	quantizer := v.Input[v.job.input+quantizerWords*v.component+v.coefficient]
	at := quantizer >> 16
	product := uint32(coded) * quantizer & 0xFFFF
	v.Scratch[v.block+at/2] |= product << (16 * (at % 2))
	v.coefficient++
}

// leaveBlock goes on with the next block, or the next interval.
func (v *invocation) leaveBlock() {
	v.coefficient = 0
	v.number++
	if v.number < v.blocks {
		v.enterBlock()
		return
	}
	v.turn++
	v.number = 0
	v.position = 0
	v.predictions = [maxComponents]int32{}
	v.enterInterval()
}
