//go:build !purego

#include "textflag.h"
#include "../../../internal/neon/neon.h"

// The constants of the standard, as the nearest 32 bits, in each lane.
#define RED_OF_SECOND(v)   MOVD $0x3FB374BC, R4; VDUP R4, v.S4
#define GREEN_OF_FIRST(v)  MOVD $0x3EB03298, R4; VDUP R4, v.S4
#define GREEN_OF_SECOND(v) MOVD $0x3F36D19E, R4; VDUP R4, v.S4
#define BLUE_OF_FIRST(v)   MOVD $0x3FE2D0E5, R4; VDUP R4, v.S4

// The routines replace luminance, the blue difference and the red difference by red, green and
// blue. A step computes two vectors of each.
//
//	R0  first           V0, V1  luminance
//	R1  second          V2, V3  blue difference
//	R2  third           V4, V5  red difference
//	R3  vectors left

// BEGIN loads the parameters.
#define BEGIN \
	MOVD first+0(FP), R0  \
	MOVD second+8(FP), R1 \
	MOVD third+16(FP), R2 \
	MOVD vectors+24(FP), R3

// REVERSIBLE inverts the reversible color transform, with the instructions for lanes of 32 or of 16
// bits. V6 and V7 are green.
#define REVERSIBLE(ADDITION, SUBTRACT, SHIFT) \
step:                       \
	FLDPQ (R0), (F0, F1)    \
	FLDPQ (R1), (F2, F3)    \
	FLDPQ (R2), (F4, F5)    \
	ADDITION(4, 2, 6)       \
	ADDITION(5, 3, 7)       \
	SHIFT(2, 6, 6)          \
	SHIFT(2, 7, 7)          \
	SUBTRACT(6, 0, 6)       \
	SUBTRACT(7, 1, 7)       \
	ADDITION(6, 4, 4)       \
	ADDITION(7, 5, 5)       \
	ADDITION(6, 2, 2)       \
	ADDITION(7, 3, 3)       \
	FSTPQ.P (F4, F5), 32(R0) \
	FSTPQ.P (F6, F7), 32(R1) \
	FSTPQ.P (F2, F3), 32(R2) \
	SUB     $1, R3, R3      \
	CBNZ    R3, step        \
	RET

// reversibleWords transforms int32. Its Go twin is reversibleInGo.
//
// func reversibleWords(first, second, third unsafe.Pointer, vectors int)
TEXT ·reversibleWords(SB), NOSPLIT, $0-32
	BEGIN
	REVERSIBLE(VADD_S4, VSUB_S4, VSSHR_S4)

// reversibleShorts transforms int16. Its Go twin is reversibleInGo.
//
// func reversibleShorts(first, second, third unsafe.Pointer, vectors int)
TEXT ·reversibleShorts(SB), NOSPLIT, $0-32
	BEGIN
	REVERSIBLE(VADD_H8, VSUB_H8, VSSHR_H8)

// COLORS computes red, green and blue of a vector, in place of the numbers that they are made from.
// It never fuses a product with a sum, as the Go twin does not.
//
//	V16-V18  products       V29  greenOfFirst
//	V28      redOfSecond    V30  greenOfSecond
//	                        V31  blueOfFirst
#define COLORS(luminance, blue, red) \
	VFMUL_S4(29, blue, 16)          \
	VFMUL_S4(30, red, 17)           \
	VFMUL_S4(28, red, 18)           \
	VFMUL_S4(31, blue, red)         \
	VFSUB_S4(16, luminance, blue)   \
	VFSUB_S4(17, blue, blue)        \
	VFADD_S4(red, luminance, red)   \
	VFADD_S4(18, luminance, luminance)

// irreversibleInAssembly inverts the irreversible color transform. Its Go twin is irreversibleInGo.
//
// func irreversibleInAssembly(first, second, third *float32, vectors int)
TEXT ·irreversibleInAssembly(SB), NOSPLIT, $0-32
	BEGIN
	RED_OF_SECOND(V28)
	GREEN_OF_FIRST(V29)
	GREEN_OF_SECOND(V30)
	BLUE_OF_FIRST(V31)

step:
	FLDPQ (R0), (F0, F1)
	FLDPQ (R1), (F2, F3)
	FLDPQ (R2), (F4, F5)
	COLORS(0, 2, 4)
	COLORS(1, 3, 5)
	FSTPQ.P (F0, F1), 32(R0)
	FSTPQ.P (F2, F3), 32(R1)
	FSTPQ.P (F4, F5), 32(R2)
	SUB     $1, R3, R3
	CBNZ    R3, step
	RET
