//go:build !purego

#include "textflag.h"
#include "../../../internal/neon/neon.h"

// The macros below take the instructions for lanes of 32 or of 16 bits.

// EVEN computes low minus a quarter of the sum of its neighbors, rounded. V31 holds twos. The
// instruction that rounds by itself does not wrap as the Go twin does.
#define EVEN(ADD, SUBTRACT, SHIFT, low, before, after, out) \
	ADD(after, before, out)   \
	ADD(31, out, out)         \
	SHIFT(2, out, out)        \
	SUBTRACT(out, low, out)

// ACROSS_BEGIN loads the parameters.
#define ACROSS_BEGIN \
	MOVD to+0(FP), R0        \
	MOVD low+8(FP), R1       \
	MOVD high+16(FP), R2     \
	MOVD vectors+24(FP), R3  \
	ADD  R3<<6, R0, R0       \
	ADD  R3<<5, R1, R1       \
	ADD  R3<<5, R2, R2       \
	SUB  $32, R0, R0         \
	MOVD $-32, R4            \
	MOVD $2, R5

// ACROSS interleaves a row of the 5-3 wavelet. It begins at the end of the row: an odd sample needs
// the even one that follows. lanes are those of a vector, and size is that of a sample.
//
//	R0  end of to          V0, V1  low samples
//	R1  end of low         V2, V3  high samples before
//	R2  end of high        V4, V6  even samples; V4 is also the one that follows
//	R3  vectors left       V5, V7  high samples after, which become odd samples
//	R4  -32                V16     even samples that follow
//	                       V31     twos
#define ACROSS(ADDITION, SUBTRACT, SHIFT, ACCUMULATE, lanes, size) \
	EVEN(ADDITION, SUBTRACT, SHIFT, 0, 2, 5, 4) \
	                             \
step:                            \
	FLDPQ.W -32(R1), (F0, F1)    \
	FLDPQ.W -32(R2), (F2, F3)    \
	FMOVQ   size(R2), F5         \
	FMOVQ   (16+size)(R2), F7    \
	                             \
	EVEN(ADDITION, SUBTRACT, SHIFT, 1, 3, 7, 6) \
	VEXT $size, V4.B16, V6.B16, V16.B16 \
	ADDITION(6, 16, 16)          \
	ACCUMULATE(1, 16, 7)         \
	VST2.P [V6.lanes, V7.lanes], (R0)(R4) \
	                             \
	EVEN(ADDITION, SUBTRACT, SHIFT, 0, 2, 5, 4) \
	VEXT $size, V6.B16, V4.B16, V16.B16 \
	ADDITION(4, 16, 16)          \
	ACCUMULATE(1, 16, 5)         \
	VST2.P [V4.lanes, V5.lanes], (R0)(R4) \
	                             \
	SUB  $1, R3, R3              \
	CBNZ R3, step                \
	RET

// DOWN_BEGIN loads the parameters. perStep is the number of columns in a step.
#define DOWN_BEGIN(perStep) \
	MOVD even+0(FP), R0      \
	MOVD odd+8(FP), R1       \
	MOVD low+16(FP), R2      \
	MOVD before+24(FP), R3   \
	MOVD after+32(FP), R4    \
	MOVD previous+40(FP), R5 \
	MOVD columns+48(FP), R6  \
	SUB  $perStep, R6, R6    \
	MOVD $2, R7

// DOWN computes an even and an odd row of the 5-3 wavelet, 32 bytes of each in a step; the last one may
// overlap the one before it. Then it goes back by the columns that are missing: R6 is negative.
// toBytes is log2 of the size of a sample.
//
//	R0  even        R4  after             V0-V3  low, before; odd is made from before
//	R1  odd         R5  previous          V4-V7  after, previous
//	R2  low         R6  columns that      V16, V17  even
//	R3  before          follow the step   V31       twos
#define DOWN(ADDITION, SUBTRACT, SHIFT, ACCUMULATE, perStep, toBytes) \
step:                            \
	FLDPQ.P 32(R2), (F0, F1)     \
	FLDPQ.P 32(R3), (F2, F3)     \
	FLDPQ.P 32(R4), (F4, F5)     \
	FLDPQ.P 32(R5), (F6, F7)     \
	EVEN(ADDITION, SUBTRACT, SHIFT, 0, 2, 4, 16) \
	EVEN(ADDITION, SUBTRACT, SHIFT, 1, 3, 5, 17) \
	ADDITION(16, 6, 6)           \
	ADDITION(17, 7, 7)           \
	ACCUMULATE(1, 6, 2)          \
	ACCUMULATE(1, 7, 3)          \
	FSTPQ.P (F16, F17), 32(R0)   \
	FSTPQ.P (F2, F3), 32(R1)     \
	                             \
	SUBS $perStep, R6, R6        \
	BGE  step                    \
	CMN  $perStep, R6            \
	BEQ  done                    \
	ADD  R6<<toBytes, R0, R0     \
	ADD  R6<<toBytes, R1, R1     \
	ADD  R6<<toBytes, R2, R2     \
	ADD  R6<<toBytes, R3, R3     \
	ADD  R6<<toBytes, R4, R4     \
	ADD  R6<<toBytes, R5, R5     \
	MOVD ZR, R6                  \
	B    step                    \
	                             \
done:                            \
	RET

// across53Words interleaves a row of int32. Its Go twin is across53InGo.
//
// func across53Words(to, low, high unsafe.Pointer, vectors int)
TEXT ·across53Words(SB), NOSPLIT, $0-32
	ACROSS_BEGIN
	VDUP  R5, V31.S4
	FMOVS (R1), F0
	FMOVS (R2), F2
	FMOVS 4(R2), F5
	ACROSS(VADD_S4, VSUB_S4, VSSHR_S4, VSSRA_S4, S4, 4)

// across53Shorts interleaves a row of int16. Its Go twin is across53InGo. R6 is scratch.
//
// func across53Shorts(to, low, high unsafe.Pointer, vectors int)
TEXT ·across53Shorts(SB), NOSPLIT, $0-32
	ACROSS_BEGIN
	VDUP  R5, V31.H8
	MOVH  (R1), R6
	FMOVS R6, F0
	MOVH  (R2), R6
	FMOVS R6, F2
	MOVH  2(R2), R6
	FMOVS R6, F5
	ACROSS(VADD_H8, VSUB_H8, VSSHR_H8, VSSRA_H8, H8, 2)

// down53Words computes rows of int32. Its Go twin is down53InGo.
//
// func down53Words(even, odd, low, before, after, previous unsafe.Pointer, columns int)
TEXT ·down53Words(SB), NOSPLIT, $0-56
	DOWN_BEGIN(8)
	VDUP R7, V31.S4
	DOWN(VADD_S4, VSUB_S4, VSSHR_S4, VSSRA_S4, 8, 2)

// down53Shorts computes rows of int16. Its Go twin is down53InGo.
//
// func down53Shorts(even, odd, low, before, after, previous unsafe.Pointer, columns int)
TEXT ·down53Shorts(SB), NOSPLIT, $0-56
	DOWN_BEGIN(16)
	VDUP R7, V31.H8
	DOWN(VADD_H8, VSUB_H8, VSSHR_H8, VSSRA_H8, 16, 1)
