//go:build !purego

#include "textflag.h"
#include "../../../internal/neon/neon.h"

// EVEN computes low minus a quarter of the sum of its neighbors, rounded. V31 holds twos. The
// instruction that rounds by itself does not wrap as the Go twin does.
#define EVEN(low, before, after, out) \
	VADD_S4(after, before, out) \
	VADD_S4(31, out, out)       \
	VSSHR_S4(2, out, out)       \
	VSUB_S4(out, low, out)

// across53InAssembly interleaves a row of the 5-3 wavelet. Its Go twin is across53InGo. It begins
// at the end of the row: an odd sample needs the even one that follows.
//
//	R0  end of to          V0, V1  low samples
//	R1  end of low         V2, V3  high samples before
//	R2  end of high        V4, V6  even samples; V4 is also the one that follows
//	R3  vectors left       V5, V7  high samples after, which become odd samples
//	R4  -32                V16     even samples that follow
//	                       V31     twos
//
// func across53InAssembly(to, low, high *int32, vectors int)
TEXT ·across53InAssembly(SB), NOSPLIT, $0-32
	MOVD to+0(FP), R0
	MOVD low+8(FP), R1
	MOVD high+16(FP), R2
	MOVD vectors+24(FP), R3
	ADD  R3<<6, R0, R0
	ADD  R3<<5, R1, R1
	ADD  R3<<5, R2, R2
	SUB  $32, R0, R0
	MOVD $-32, R4
	MOVD $2, R5
	VDUP R5, V31.S4

	FMOVS (R1), F0
	FMOVS (R2), F2
	FMOVS 4(R2), F5
	EVEN(0, 2, 5, 4)

step:
	FLDPQ.W -32(R1), (F0, F1)
	FLDPQ.W -32(R2), (F2, F3)
	FMOVQ   4(R2), F5
	FMOVQ   20(R2), F7

	EVEN(1, 3, 7, 6)
	VEXT $4, V4.B16, V6.B16, V16.B16
	VADD_S4(6, 16, 16)
	VSSRA_S4(1, 16, 7)
	VST2.P [V6.S4, V7.S4], (R0)(R4)

	EVEN(0, 2, 5, 4)
	VEXT $4, V6.B16, V4.B16, V16.B16
	VADD_S4(4, 16, 16)
	VSSRA_S4(1, 16, 5)
	VST2.P [V4.S4, V5.S4], (R0)(R4)

	SUB  $1, R3, R3
	CBNZ R3, step
	RET

// down53InAssembly computes an even and an odd row of the 5-3 wavelet. Its Go twin is down53InGo. A
// step computes eight columns; the last one may overlap the one before it.
//
//	R0  even        R4  after             V0-V3  low, before; odd is made from before
//	R1  odd         R5  previous          V4-V7  after, previous
//	R2  low         R6  columns that      V16, V17  even
//	R3  before          follow the step   V31       twos
//
// func down53InAssembly(even, odd, low, before, after, previous *int32, columns int)
TEXT ·down53InAssembly(SB), NOSPLIT, $0-56
	MOVD even+0(FP), R0
	MOVD odd+8(FP), R1
	MOVD low+16(FP), R2
	MOVD before+24(FP), R3
	MOVD after+32(FP), R4
	MOVD previous+40(FP), R5
	MOVD columns+48(FP), R6
	SUB  $8, R6, R6
	MOVD $2, R7
	VDUP R7, V31.S4

step:
	FLDPQ.P 32(R2), (F0, F1)
	FLDPQ.P 32(R3), (F2, F3)
	FLDPQ.P 32(R4), (F4, F5)
	FLDPQ.P 32(R5), (F6, F7)
	EVEN(0, 2, 4, 16)
	EVEN(1, 3, 5, 17)
	VADD_S4(16, 6, 6)
	VADD_S4(17, 7, 7)
	VSSRA_S4(1, 6, 2)
	VSSRA_S4(1, 7, 3)
	FSTPQ.P (F16, F17), 32(R0)
	FSTPQ.P (F2, F3), 32(R1)

	SUBS $8, R6, R6
	BGE  step
	CMN  $8, R6
	BEQ  done

	// Go back by the columns that are missing in the last step. R6 is negative.
	ADD R6<<2, R0, R0
	ADD R6<<2, R1, R1
	ADD R6<<2, R2, R2
	ADD R6<<2, R3, R3
	ADD R6<<2, R4, R4
	ADD R6<<2, R5, R5
	MOVD ZR, R6
	B    step

done:
	RET
