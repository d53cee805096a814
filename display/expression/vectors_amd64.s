//go:build !purego

#include "textflag.h"

// BX counts the bytes of the operands and of the result, which lie at SI, DX, R8 and DI.
#define BEGIN \
	MOVQ to+0(FP), DI     \
	MOVQ a+8(FP), SI      \
	MOVQ b+16(FP), DX     \
	MOVQ c+24(FP), R8     \
	MOVQ steps+32(FP), CX \
	XORQ BX, BX

#define LOAD_A \
	VMOVUPD (SI)(BX*1), Y0   \
	VMOVUPD 32(SI)(BX*1), Y1

#define LOAD_B \
	VMOVUPD (DX)(BX*1), Y2   \
	VMOVUPD 32(DX)(BX*1), Y3

#define STORE(first, second) \
	VMOVUPD first, (DI)(BX*1)    \
	VMOVUPD second, 32(DI)(BX*1) \
	ADDQ    $64, BX              \
	DECQ    CX

// BROADCAST fills a register with a number of 64 bits.
#define BROADCAST(bits, low, register) \
	MOVQ         bits, AX  \
	VMOVQ        AX, low   \
	VPBROADCASTQ low, register

#define ONE $0x3ff0000000000000

// The loops, of which turn is the label.

#define BINARY(instruction) \
	LOAD_A                                \
	instruction (DX)(BX*1), Y0, Y0        \
	instruction 32(DX)(BX*1), Y1, Y1      \
	STORE(Y0, Y1)

#define COMPARISON(predicate) \
	LOAD_A                                \
	VCMPPD predicate, (DX)(BX*1), Y0, Y0   \
	VCMPPD predicate, 32(DX)(BX*1), Y1, Y1 \
	VANDPD Y15, Y0, Y0                     \
	VANDPD Y15, Y1, Y1                     \
	STORE(Y0, Y1)

#define WITH_MASK(instruction) \
	LOAD_A                      \
	instruction Y15, Y0, Y0     \
	instruction Y15, Y1, Y1     \
	STORE(Y0, Y1)

#define ROUNDING(mode) \
	LOAD_A                  \
	VROUNDPD mode, Y0, Y0   \
	VROUNDPD mode, Y1, Y1   \
	STORE(Y0, Y1)

#define DOWN $9
#define UP $10
#define TO_EVEN $8

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

// func lessVectors(to, a, b, c *float64, steps int)
TEXT ·lessVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST(ONE, X15, Y15)

turn:
	COMPARISON($0x11)
	JNZ turn
	VZEROUPPER
	RET

// func lessOrEqualVectors(to, a, b, c *float64, steps int)
TEXT ·lessOrEqualVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST(ONE, X15, Y15)

turn:
	COMPARISON($0x12)
	JNZ turn
	VZEROUPPER
	RET

// func equalVectors(to, a, b, c *float64, steps int)
TEXT ·equalVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST(ONE, X15, Y15)

turn:
	COMPARISON($0)
	JNZ turn
	VZEROUPPER
	RET

// func notEqualVectors(to, a, b, c *float64, steps int)
TEXT ·notEqualVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST(ONE, X15, Y15)

turn:
	COMPARISON($4)
	JNZ turn
	VZEROUPPER
	RET

// func andVectors(to, a, b, c *float64, steps int)
TEXT ·andVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	BINARY(VANDPD)
	JNZ turn
	VZEROUPPER
	RET

// func orVectors(to, a, b, c *float64, steps int)
TEXT ·orVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	BINARY(VORPD)
	JNZ turn
	VZEROUPPER
	RET

// func notVectors(to, a, b, c *float64, steps int)
TEXT ·notVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST(ONE, X15, Y15)

turn:
	WITH_MASK(VXORPD)
	JNZ turn
	VZEROUPPER
	RET

// The highest bit of the pattern of 1 goes to the front, where the choice is made by it.

// func chooseVectors(to, a, b, c *float64, steps int)
TEXT ·chooseVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	LOAD_A
	VPSLLQ    $2, Y0, Y0
	VPSLLQ    $2, Y1, Y1
	VMOVUPD   (R8)(BX*1), Y2
	VMOVUPD   32(R8)(BX*1), Y3
	VBLENDVPD Y0, (DX)(BX*1), Y2, Y2
	VBLENDVPD Y1, 32(DX)(BX*1), Y3, Y3
	STORE(Y2, Y3)
	JNZ       turn
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

// func isNaNVectors(to, a, b, c *float64, steps int)
TEXT ·isNaNVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST(ONE, X15, Y15)

turn:
	LOAD_A
	VCMPPD $3, Y0, Y0, Y0
	VCMPPD $3, Y1, Y1, Y1
	VANDPD Y15, Y0, Y0
	VANDPD Y15, Y1, Y1
	STORE(Y0, Y1)
	JNZ    turn
	VZEROUPPER
	RET
