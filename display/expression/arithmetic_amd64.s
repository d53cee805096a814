//go:build !purego

#include "textflag.h"
#include "vectors_amd64.h"

// addVectors computes to = a + b. Twin: addEach.
// func addVectors(to, a, b, c *float64, steps int)
TEXT ·addVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	BINARY(VADDPD)
	JNZ loop
	VZEROUPPER
	RET

// subtractVectors computes to = a - b. Twin: subtractEach.
// func subtractVectors(to, a, b, c *float64, steps int)
TEXT ·subtractVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	BINARY(VSUBPD)
	JNZ loop
	VZEROUPPER
	RET

// multiplyVectors computes to = a * b. Twin: multiplyEach.
// func multiplyVectors(to, a, b, c *float64, steps int)
TEXT ·multiplyVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	BINARY(VMULPD)
	JNZ loop
	VZEROUPPER
	RET

// divideVectors computes to = a / b. Twin: divideEach.
// func divideVectors(to, a, b, c *float64, steps int)
TEXT ·divideVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	BINARY(VDIVPD)
	JNZ loop
	VZEROUPPER
	RET

// floorDivideVectors computes to = floor(a / b). Twin: floorQuotient.
// func floorDivideVectors(to, a, b, c *float64, steps int)
TEXT ·floorDivideVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	LOAD_A
	VDIVPD   (DX)(BX*1), Y0, Y0
	VDIVPD   32(DX)(BX*1), Y1, Y1
	VROUNDPD DOWN, Y0, Y0
	VROUNDPD DOWN, Y1, Y1
	STORE(Y0, Y1)
	JNZ      loop
	VZEROUPPER
	RET

// moduloVectors computes to = a - floor(a/b)*b. Twin: remainder.
//
//	Y0, Y1  a, then the result
//	Y2, Y3  b
//	Y4, Y5  floor(a/b), then its product with b
//
// func moduloVectors(to, a, b, c *float64, steps int)
TEXT ·moduloVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	LOAD_A
	LOAD_B
	VDIVPD   Y2, Y0, Y4
	VDIVPD   Y3, Y1, Y5
	VROUNDPD DOWN, Y4, Y4
	VROUNDPD DOWN, Y5, Y5
	VMULPD   Y2, Y4, Y4
	VMULPD   Y3, Y5, Y5
	VSUBPD   Y4, Y0, Y0
	VSUBPD   Y5, Y1, Y1
	STORE(Y0, Y1)
	JNZ      loop
	VZEROUPPER
	RET

// PRODUCT computes the rounded products of a and b in Y0 and Y1.
#define PRODUCT \
	LOAD_A                       \
	VMULPD (DX)(BX*1), Y0, Y0    \
	VMULPD 32(DX)(BX*1), Y1, Y1

// productPlusVectors computes to = a*b + c. Twin: productPlusEach.
// func productPlusVectors(to, a, b, c *float64, steps int)
TEXT ·productPlusVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	PRODUCT
	VADDPD (R8)(BX*1), Y0, Y0
	VADDPD 32(R8)(BX*1), Y1, Y1
	STORE(Y0, Y1)
	JNZ    loop
	VZEROUPPER
	RET

// productMinusVectors computes to = a*b - c. Twin: productMinusEach.
// func productMinusVectors(to, a, b, c *float64, steps int)
TEXT ·productMinusVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	PRODUCT
	VSUBPD (R8)(BX*1), Y0, Y0
	VSUBPD 32(R8)(BX*1), Y1, Y1
	STORE(Y0, Y1)
	JNZ    loop
	VZEROUPPER
	RET

// minusProductVectors computes to = c - a*b. Twin: minusProductEach.
// func minusProductVectors(to, a, b, c *float64, steps int)
TEXT ·minusProductVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	PRODUCT
	VMOVUPD (R8)(BX*1), Y2
	VMOVUPD 32(R8)(BX*1), Y3
	VSUBPD  Y0, Y2, Y0
	VSUBPD  Y1, Y3, Y1
	STORE(Y0, Y1)
	JNZ     loop
	VZEROUPPER
	RET

// normalizedDifferenceVectors computes to = (a - b)/(a + b). Twin: normalizedDifferenceEach.
//
//	Y0, Y1  a, then the sum, then the result
//	Y2, Y3  b
//	Y4, Y5  the difference
//
// func normalizedDifferenceVectors(to, a, b, c *float64, steps int)
TEXT ·normalizedDifferenceVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	LOAD_A
	LOAD_B
	VSUBPD Y2, Y0, Y4
	VSUBPD Y3, Y1, Y5
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	VDIVPD Y0, Y4, Y0
	VDIVPD Y1, Y5, Y1
	STORE(Y0, Y1)
	JNZ    loop
	VZEROUPPER
	RET

// negativeVectors computes to = -a. Twin: negation. Y15 holds the sign bit.
// func negativeVectors(to, a, b, c *float64, steps int)
TEXT ·negativeVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST($0x8000000000000000, X15, Y15)

loop:
	WITH_MASK(VXORPD)
	JNZ loop
	VZEROUPPER
	RET

// VMINPD and VMAXPD return their last operand if both are zero or one is NaN. So both orders are
// computed and combined, which keeps NaN and the sign of -0.

// minimumVectors computes to = min(a, b). Twin: lesser.
//
//	Y0, Y1  a, then the minimum in the other order, then the result
//	Y2, Y3  b
//	Y4, Y5  the minimum in one order
//
// func minimumVectors(to, a, b, c *float64, steps int)
TEXT ·minimumVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	LOAD_A
	LOAD_B
	VMINPD Y2, Y0, Y4
	VMINPD Y3, Y1, Y5
	VMINPD Y0, Y2, Y0
	VMINPD Y1, Y3, Y1
	VORPD  Y4, Y0, Y0
	VORPD  Y5, Y1, Y1
	STORE(Y0, Y1)
	JNZ    loop
	VZEROUPPER
	RET

// maximumVectors computes to = max(a, b). Twin: larger.
//
//	Y0, Y1  a, then the maximum in the other order, then the result
//	Y2, Y3  b
//	Y4, Y5  the maximum in one order
//	Y6, Y7  all bits set where a or b is NaN
//
// func maximumVectors(to, a, b, c *float64, steps int)
TEXT ·maximumVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	LOAD_A
	LOAD_B
	VCMPPD $3, Y2, Y0, Y6
	VCMPPD $3, Y3, Y1, Y7
	VMAXPD Y2, Y0, Y4
	VMAXPD Y3, Y1, Y5
	VMAXPD Y0, Y2, Y0
	VMAXPD Y1, Y3, Y1
	VANDPD Y4, Y0, Y0
	VANDPD Y5, Y1, Y1
	VORPD  Y6, Y0, Y0
	VORPD  Y7, Y1, Y1
	STORE(Y0, Y1)
	JNZ    loop
	VZEROUPPER
	RET

// absoluteVectors computes to = |a|. Twin: math.Abs. Y15 holds all bits except the sign.
// func absoluteVectors(to, a, b, c *float64, steps int)
TEXT ·absoluteVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST($0x7fffffffffffffff, X15, Y15)

loop:
	WITH_MASK(VANDPD)
	JNZ loop
	VZEROUPPER
	RET

// squareRootVectors computes to = sqrt(a). Twin: math.Sqrt.
// func squareRootVectors(to, a, b, c *float64, steps int)
TEXT ·squareRootVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	VSQRTPD (SI)(BX*1), Y0
	VSQRTPD 32(SI)(BX*1), Y1
	STORE(Y0, Y1)
	JNZ     loop
	VZEROUPPER
	RET

// floorVectors computes to = floor(a). Twin: math.Floor.
// func floorVectors(to, a, b, c *float64, steps int)
TEXT ·floorVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	ROUNDING(DOWN)
	JNZ loop
	VZEROUPPER
	RET

// ceilVectors computes to = ceil(a). Twin: math.Ceil.
// func ceilVectors(to, a, b, c *float64, steps int)
TEXT ·ceilVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	ROUNDING(UP)
	JNZ loop
	VZEROUPPER
	RET

// roundVectors rounds a to the nearest integer, ties to even. Twin: math.RoundToEven.
// func roundVectors(to, a, b, c *float64, steps int)
TEXT ·roundVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	ROUNDING(TO_EVEN)
	JNZ loop
	VZEROUPPER
	RET
