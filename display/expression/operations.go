package expression

import "math"

const maxOperands = 3

// An operation identifies what a node or a value computes.
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
	unaryPlus // the plus sign, which adds no node

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

	// Fused operations, which only the compiler creates.
	productPlus
	productMinus
	minusProduct
	normalizedDifference

	operationCount
)

// A kind is the type of a value. Vectors store false and true as 0 and 1, so a boolean can be used
// as a number.
type kind uint8

const (
	number kind = iota
	boolean
)

// A definition describes an operation. Exactly one of its functions is set.
type definition struct {
	name        string
	operands    int
	level       int  // level of binding of an operator; 0 for functions
	operandKind kind // kind of all operands; where has its own rule
	resultKind  kind // kind of the result
	cost        int  // approximate half nanoseconds per pixel, without vector code
	unary       func(a float64) float64
	binary      func(a, b float64) float64
	ternary     func(a, b, c float64) float64
}

// definitions describes all operations. Every other implementation of an operation must give the
// same bits as the function here.
var definitions = [operationCount]definition{
	constant: {},
	truth:    {resultKind: boolean},
	band:     {cost: 1},

	add:         {name: "+", operands: 2, level: sumLevel, cost: 1, binary: sum},
	subtract:    {name: "-", operands: 2, level: sumLevel, cost: 1, binary: difference},
	multiply:    {name: "*", operands: 2, level: productLevel, cost: 1, binary: product},
	divide:      {name: "/", operands: 2, level: productLevel, cost: 2, binary: quotient},
	floorDivide: {name: "//", operands: 2, level: productLevel, cost: 4, binary: floorQuotient},
	modulo:      {name: "%", operands: 2, level: productLevel, cost: 4, binary: remainder},
	raise:       {name: "**", operands: 2, level: powerLevel, cost: 80, binary: power},
	negative:    {name: "-", operands: 1, level: signLevel, cost: 1, unary: negation},
	unaryPlus:   {name: "+", operands: 1, level: signLevel},

	less:           {name: "<", operands: 2, level: comparisonLevel, resultKind: boolean, cost: 1, binary: isLess},
	lessOrEqual:    {name: "<=", operands: 2, level: comparisonLevel, resultKind: boolean, cost: 1, binary: isLessOrEqual},
	greater:        {name: ">", operands: 2, level: comparisonLevel, resultKind: boolean, cost: 1, binary: isGreater},
	greaterOrEqual: {name: ">=", operands: 2, level: comparisonLevel, resultKind: boolean, cost: 1, binary: isGreaterOrEqual},
	equal:          {name: "==", operands: 2, level: comparisonLevel, resultKind: boolean, cost: 1, binary: isEqual},
	notEqual:       {name: "!=", operands: 2, level: comparisonLevel, resultKind: boolean, cost: 1, binary: isNotEqual},
	logicalAnd:     {name: "&", operands: 2, level: bitAndLevel, operandKind: boolean, resultKind: boolean, cost: 1, binary: both},
	logicalOr:      {name: "|", operands: 2, level: bitOrLevel, operandKind: boolean, resultKind: boolean, cost: 1, binary: either},
	logicalNot:     {name: "~", operands: 1, level: signLevel, operandKind: boolean, resultKind: boolean, cost: 1, unary: isFalse},

	where:      {name: "where", operands: 3, cost: 1, ternary: choice},
	minimum:    {name: "min", operands: 2, cost: 2, binary: lesser},
	maximum:    {name: "max", operands: 2, cost: 2, binary: larger},
	clip:       {name: "clip", operands: 3, cost: 4, ternary: clamped},
	absolute:   {name: "abs", operands: 1, cost: 1, unary: math.Abs},
	squareRoot: {name: "sqrt", operands: 1, cost: 4, unary: math.Sqrt},
	floor:      {name: "floor", operands: 1, cost: 2, unary: math.Floor},
	ceil:       {name: "ceil", operands: 1, cost: 2, unary: math.Ceil},
	round:      {name: "round", operands: 1, cost: 2, unary: math.RoundToEven},
	isNaN:      {name: "isnan", operands: 1, resultKind: boolean, cost: 1, unary: isNaNValue},

	exp:     {name: "exp", operands: 1, cost: 30, unary: exponential},
	expm1:   {name: "expm1", operands: 1, cost: 30, unary: exponentialMinus1},
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
	productMinus:         {name: "a*b-c", operands: 3, cost: 2, ternary: differenceOfProduct},
	minusProduct:         {name: "c-a*b", operands: 3, cost: 2, ternary: differenceToProduct},
	normalizedDifference: {name: "(a-b)/(a+b)", operands: 2, cost: 4, binary: differenceBySum},
}

// isVariadic reports whether a function takes two or more operands.
func (o operation) isVariadic() bool { return o == minimum || o == maximum }

// commutes reports whether the two operands may be exchanged.
func (o operation) commutes() bool {
	switch o {
	case add, multiply, equal, notEqual, logicalAnd, logicalOr, minimum, maximum, hypot:
		return true
	}
	return false
}

func (o operation) operandCountText() string {
	if o.isVariadic() {
		return "at least two operands"
	}
	return [...]string{"no operands", "one operand", "two operands", "three operands"}[definitions[o].operands]
}

// compute computes an operation for one pixel. It ignores operands that the operation does not
// take.
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
