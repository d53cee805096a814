package expression

import "math"

const maxOperands = 3

// An operation is what a node or a value is made by.
type operation uint8

const (
	constant operation = iota // a number
	truth                     // a constant that is true or false
	band

	add
	subtract
	multiply
	divide
	floorDivide
	modulo
	raise
	negative
	asItIs // the plus sign before an operand, which makes no node

	less
	lessOrEqual
	greater
	greaterOrEqual
	equal
	notEqual
	logicalAnd
	logicalOr
	logicalNot

	where
	minimum
	maximum
	clip
	absolute
	squareRoot
	floor
	ceil
	round
	isNaN

	exp
	expm1
	log
	log10
	log1p
	sin
	cos
	tan
	arcsin
	arccos
	arctan
	arctan2
	sinh
	cosh
	tanh
	hypot

	// What programs make of several operations, and nobody writes.
	productPlus
	productLess
	lessProduct
	normalizedDifference

	operationCount
)

// A kind is what a value is of. In a vector, false and true are 0 and 1, so that a boolean is a
// number wherever one is wanted.
type kind uint8

const (
	number kind = iota
	boolean
)

// A definition is all that there is to know of an operation. One of its functions is set.
type definition struct {
	name     string
	operands int
	level    int  // how tightly an operator binds; 0 for functions
	wants    kind // of all operands but those of where
	gives    kind
	cost     int // in half nanoseconds a pixel, about, where there are no vectors
	unary    func(a float64) float64
	binary   func(a, b float64) float64
	ternary  func(a, b, c float64) float64
}

// The definitions. Whatever else computes an operation gives the same bits as the functions here.
var definitions = [operationCount]definition{
	constant: {},
	truth:    {gives: boolean},
	band:     {cost: 1},

	add:         {name: "+", operands: 2, level: sumLevel, cost: 1, binary: sum},
	subtract:    {name: "-", operands: 2, level: sumLevel, cost: 1, binary: difference},
	multiply:    {name: "*", operands: 2, level: productLevel, cost: 1, binary: product},
	divide:      {name: "/", operands: 2, level: productLevel, cost: 2, binary: quotient},
	floorDivide: {name: "//", operands: 2, level: productLevel, cost: 4, binary: floorQuotient},
	modulo:      {name: "%", operands: 2, level: productLevel, cost: 4, binary: remainder},
	raise:       {name: "**", operands: 2, level: powerLevel, cost: 80, binary: power},
	negative:    {name: "-", operands: 1, level: signLevel, cost: 1, unary: negated},
	asItIs:      {name: "+", operands: 1, level: signLevel},

	less:           {name: "<", operands: 2, level: comparisonLevel, gives: boolean, cost: 1, binary: isLess},
	lessOrEqual:    {name: "<=", operands: 2, level: comparisonLevel, gives: boolean, cost: 1, binary: isAtMost},
	greater:        {name: ">", operands: 2, level: comparisonLevel, gives: boolean, cost: 1, binary: isGreater},
	greaterOrEqual: {name: ">=", operands: 2, level: comparisonLevel, gives: boolean, cost: 1, binary: isAtLeast},
	equal:          {name: "==", operands: 2, level: comparisonLevel, gives: boolean, cost: 1, binary: isEqual},
	notEqual:       {name: "!=", operands: 2, level: comparisonLevel, gives: boolean, cost: 1, binary: isOther},
	logicalAnd:     {name: "&", operands: 2, level: bitAndLevel, wants: boolean, gives: boolean, cost: 1, binary: both},
	logicalOr:      {name: "|", operands: 2, level: bitOrLevel, wants: boolean, gives: boolean, cost: 1, binary: either},
	logicalNot:     {name: "~", operands: 1, level: signLevel, wants: boolean, gives: boolean, cost: 1, unary: isFalse},

	where:      {name: "where", operands: 3, cost: 1, ternary: choice},
	minimum:    {name: "min", operands: 2, cost: 2, binary: lesser},
	maximum:    {name: "max", operands: 2, cost: 2, binary: larger},
	clip:       {name: "clip", operands: 3, cost: 4, ternary: clipped},
	absolute:   {name: "abs", operands: 1, cost: 1, unary: math.Abs},
	squareRoot: {name: "sqrt", operands: 1, cost: 4, unary: math.Sqrt},
	floor:      {name: "floor", operands: 1, cost: 2, unary: math.Floor},
	ceil:       {name: "ceil", operands: 1, cost: 2, unary: math.Ceil},
	round:      {name: "round", operands: 1, cost: 2, unary: math.RoundToEven},
	isNaN:      {name: "isnan", operands: 1, gives: boolean, cost: 1, unary: isNoNumber},

	exp:     {name: "exp", operands: 1, cost: 30, unary: exponential},
	expm1:   {name: "expm1", operands: 1, cost: 30, unary: exponentialLess1},
	log:     {name: "log", operands: 1, cost: 40, unary: logarithm},
	log10:   {name: "log10", operands: 1, cost: 40, unary: logarithm10},
	log1p:   {name: "log1p", operands: 1, cost: 50, unary: logarithmPlus1},
	sin:     {name: "sin", operands: 1, cost: 50, unary: sine},
	cos:     {name: "cos", operands: 1, cost: 50, unary: cosine},
	tan:     {name: "tan", operands: 1, cost: 60, unary: tangent},
	arcsin:  {name: "arcsin", operands: 1, cost: 60, unary: arcsine},
	arccos:  {name: "arccos", operands: 1, cost: 60, unary: arccosine},
	arctan:  {name: "arctan", operands: 1, cost: 30, unary: arctangent},
	arctan2: {name: "arctan2", operands: 2, cost: 60, binary: arctangent2},
	sinh:    {name: "sinh", operands: 1, cost: 40, unary: hyperbolicSine},
	cosh:    {name: "cosh", operands: 1, cost: 40, unary: hyperbolicCosine},
	tanh:    {name: "tanh", operands: 1, cost: 40, unary: hyperbolicTangent},
	hypot:   {name: "hypot", operands: 2, cost: 10, binary: hypotenuse},

	productPlus:          {name: "a*b+c", operands: 3, cost: 2, ternary: sumOfProduct},
	productLess:          {name: "a*b-c", operands: 3, cost: 2, ternary: differenceOfProduct},
	lessProduct:          {name: "c-a*b", operands: 3, cost: 2, ternary: differenceToProduct},
	normalizedDifference: {name: "(a-b)/(a+b)", operands: 2, cost: 4, binary: differenceBySum},
}

// takesMany tells of functions that take two operands or more.
func (o operation) takesMany() bool { return o == minimum || o == maximum }

// commutes tells of operations whose two operands may be exchanged.
func (o operation) commutes() bool {
	switch o {
	case add, multiply, equal, notEqual, logicalAnd, logicalOr, minimum, maximum, hypot:
		return true
	}
	return false
}

func (o operation) operandsInWords() string {
	if o.takesMany() {
		return "two operands or more"
	}
	return [...]string{"no operands", "one operand", "two operands", "three operands"}[definitions[o].operands]
}

// compute is what an operation makes of one pixel's operands, of which it looks at those it takes.
func (o operation) compute(a, b, c float64) float64 {
	switch d := &definitions[o]; {
	case d.unary != nil:
		return d.unary(a)
	case d.binary != nil:
		return d.binary(a, b)
	default:
		return d.ternary(a, b, c)
	}
}
