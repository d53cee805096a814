//go:build !purego

#include "textflag.h"
#include "vectors_amd64.h"

// func addVectors(to, a, b, c *float64, steps int)
TEXT ·addVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	BINARY(VADDPD)
	JNZ turn
	VZEROUPPER
	RET

// func subtractVectors(to, a, b, c *float64, steps int)
TEXT ·subtractVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	BINARY(VSUBPD)
	JNZ turn
	VZEROUPPER
	RET

// func multiplyVectors(to, a, b, c *float64, steps int)
TEXT ·multiplyVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	BINARY(VMULPD)
	JNZ turn
	VZEROUPPER
	RET

// func divideVectors(to, a, b, c *float64, steps int)
TEXT ·divideVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	BINARY(VDIVPD)
	JNZ turn
	VZEROUPPER
	RET

// func floorDivideVectors(to, a, b, c *float64, steps int)
TEXT ·floorDivideVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	LOAD_A
	VDIVPD   (DX)(BX*1), Y0, Y0
	VDIVPD   32(DX)(BX*1), Y1, Y1
	VROUNDPD DOWN, Y0, Y0
	VROUNDPD DOWN, Y1, Y1
	STORE(Y0, Y1)
	JNZ      turn
	VZEROUPPER
	RET

// func moduloVectors(to, a, b, c *float64, steps int)
TEXT ·moduloVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
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
	JNZ      turn
	VZEROUPPER
	RET

// PRODUCT makes the products of the first two operands, rounded.
#define PRODUCT \
	LOAD_A                       \
	VMULPD (DX)(BX*1), Y0, Y0    \
	VMULPD 32(DX)(BX*1), Y1, Y1

// func productPlusVectors(to, a, b, c *float64, steps int)
TEXT ·productPlusVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	PRODUCT
	VADDPD (R8)(BX*1), Y0, Y0
	VADDPD 32(R8)(BX*1), Y1, Y1
	STORE(Y0, Y1)
	JNZ    turn
	VZEROUPPER
	RET

// func productLessVectors(to, a, b, c *float64, steps int)
TEXT ·productLessVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	PRODUCT
	VSUBPD (R8)(BX*1), Y0, Y0
	VSUBPD 32(R8)(BX*1), Y1, Y1
	STORE(Y0, Y1)
	JNZ    turn
	VZEROUPPER
	RET

// func lessProductVectors(to, a, b, c *float64, steps int)
TEXT ·lessProductVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	PRODUCT
	VMOVUPD (R8)(BX*1), Y2
	VMOVUPD 32(R8)(BX*1), Y3
	VSUBPD  Y0, Y2, Y0
	VSUBPD  Y1, Y3, Y1
	STORE(Y0, Y1)
	JNZ     turn
	VZEROUPPER
	RET

// func normalizedDifferenceVectors(to, a, b, c *float64, steps int)
TEXT ·normalizedDifferenceVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	LOAD_A
	LOAD_B
	VSUBPD Y2, Y0, Y4
	VSUBPD Y3, Y1, Y5
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	VDIVPD Y0, Y4, Y0
	VDIVPD Y1, Y5, Y1
	STORE(Y0, Y1)
	JNZ    turn
	VZEROUPPER
	RET

// func negativeVectors(to, a, b, c *float64, steps int)
TEXT ·negativeVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST($0x8000000000000000, X15, Y15)

turn:
	WITH_MASK(VXORPD)
	JNZ turn
	VZEROUPPER
	RET

// Of two zeros, and of what is no number, the instruction takes its last operand. What both orders
// give is joined: so the sign of -0 prevails, and what is no number.

// func minimumVectors(to, a, b, c *float64, steps int)
TEXT ·minimumVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	LOAD_A
	LOAD_B
	VMINPD Y2, Y0, Y4
	VMINPD Y3, Y1, Y5
	VMINPD Y0, Y2, Y0
	VMINPD Y1, Y3, Y1
	VORPD  Y4, Y0, Y0
	VORPD  Y5, Y1, Y1
	STORE(Y0, Y1)
	JNZ    turn
	VZEROUPPER
	RET

// func maximumVectors(to, a, b, c *float64, steps int)
TEXT ·maximumVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
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
	JNZ    turn
	VZEROUPPER
	RET

// func absoluteVectors(to, a, b, c *float64, steps int)
TEXT ·absoluteVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST($0x7fffffffffffffff, X15, Y15)

turn:
	WITH_MASK(VANDPD)
	JNZ turn
	VZEROUPPER
	RET

// func squareRootVectors(to, a, b, c *float64, steps int)
TEXT ·squareRootVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	VSQRTPD (SI)(BX*1), Y0
	VSQRTPD 32(SI)(BX*1), Y1
	STORE(Y0, Y1)
	JNZ     turn
	VZEROUPPER
	RET

// func floorVectors(to, a, b, c *float64, steps int)
TEXT ·floorVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	ROUNDING(DOWN)
	JNZ turn
	VZEROUPPER
	RET

// func ceilVectors(to, a, b, c *float64, steps int)
TEXT ·ceilVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	ROUNDING(UP)
	JNZ turn
	VZEROUPPER
	RET

// func roundVectors(to, a, b, c *float64, steps int)
TEXT ·roundVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	ROUNDING(TO_EVEN)
	JNZ turn
	VZEROUPPER
	RET
