//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "../../../internal/neon/neon.h"

// The constants of the standard, as the nearest 32-bit floats, in each lane.
#define ALPHA(v) MOVD $0xBFCB0673, R10; VDUP R10, v.S4
#define BETA(v)  MOVD $0xBD5901AE, R10; VDUP R10, v.S4
#define GAMMA(v) MOVD $0x3F620676, R10; VDUP R10, v.S4
#define DELTA(v) MOVD $0x3EE31355, R10; VDUP R10, v.S4

// LIFT subtracts weight times the sum of two neighbors from a sample.
#define LIFT(sample, before, after, weight, out) \
	VFADD_S4(after, before, out) \
	VFMUL_S4(weight, out, out)   \
	VFSUB_S4(out, sample, out)

// DELAY moves a vector by one lane, so that it begins with the last sample of the vector before.
#define DELAY(previous, vector, out) VEXT_B16(12, vector, previous, out)

// ACROSS lifts four low samples for the first time, then the high samples before them, then the low
// samples before these, which are even. The lifted high samples replace low, and the lifted low ones
// replace after, which are the high samples after low.
#define ACROSS(low, high, after, previousLow, previousHigh, delayedLow, delayedHigh, even) \
	VFMUL_S4(26, low, low)                 \
	LIFT(low, high, after, 27, after)      \
	VFMUL_S4(28, high, high)               \
	DELAY(previousLow, after, delayedLow)  \
	LIFT(high, delayedLow, after, 29, low) \
	DELAY(previousHigh, low, delayedHigh)  \
	LIFT(delayedLow, delayedHigh, low, 30, even)

// across97InAssembly computes pairs of samples of a row. Its Go twin is across97InGo. The first three
// samples of each band only begin the lifting.
//
//	R0  to              V0-V2    low and high samples, lifted once, and even samples, of the vector before
//	R1  low             V3-V8    samples of low, of high, and of high after low, two vectors each
//	R2  high            V16-V19  V3-V8 delayed by one sample
//	R3  vectors left    V20-V23  even and odd samples
//	                    V24, V25 even samples
//	V26, V27, V28  lowScale, lowWeight, highScale
//	V29, V30, V31  gamma, beta, alpha
//
// func across97InAssembly(to, low, high *float32, vectors int, lowScale, lowWeight, highScale float32)
TEXT ·across97InAssembly(SB), NOSPLIT, $0-44
	MOVD to+0(FP), R0
	MOVD low+8(FP), R1
	MOVD high+16(FP), R2
	MOVD vectors+24(FP), R3
	FMOVS lowScale+32(FP), F26
	FMOVS lowWeight+36(FP), F27
	FMOVS highScale+40(FP), F28
	VDUP V26.S[0], V26.S4
	VDUP V27.S[0], V27.S4
	VDUP V28.S[0], V28.S4
	GAMMA(V29)
	BETA(V30)
	ALPHA(V31)

	// What precedes the first three samples has no effect on the third.
	VEOR  V0.B16, V0.B16, V0.B16
	FMOVQ (R1), F3
	FMOVQ (R2), F5
	FMOVQ 4(R2), F7
	ACROSS(3, 5, 7, 0, 0, 16, 17, 24)
	VDUP  V7.S[2], V0.S4
	VDUP  V3.S[2], V1.S4
	VDUP  V24.S[2], V2.S4
	ADD   $12, R1, R1
	ADD   $12, R2, R2

step:
	FLDPQ.P 32(R1), (F3, F4)
	FLDPQ.P 32(R2), (F5, F6)
	FMOVQ   -28(R2), F7
	FMOVQ   -12(R2), F8
	ACROSS(3, 5, 7, 0, 1, 16, 17, 24)
	ACROSS(4, 6, 8, 7, 3, 18, 19, 25)
	DELAY(2, 24, 20)
	DELAY(24, 25, 22)
	LIFT(17, 20, 24, 31, 21) // the odd samples
	LIFT(19, 22, 25, 31, 23)
	VST2.P  [V20.S4, V21.S4], 32(R0)
	VST2.P  [V22.S4, V23.S4], 32(R0)
	VMOV    V8.B16, V0.B16
	VMOV    V4.B16, V1.B16
	VMOV    V25.B16, V2.B16
	SUB     $1, R3, R3
	CBNZ    R3, step
	RET

// down97InAssembly computes a vertical step of the 9-7 wavelet. Its Go twin is rowStep97.from. A
// step computes eight columns; the last one may overlap the one before it.
//
//	R0  low            R9      odd
//	R1  before         R10     columns that follow the step
//	R2  after          V0-V11  input rows, two vectors each
//	R3  previousLow    V16-V23 output rows, two vectors each
//	R4  liftedLow      V28     alpha
//	R5  previousHigh   V29     beta
//	R6  liftedHigh     V30     gamma
//	R7  previousEven   V31     delta
//	R8  even
//
// func down97InAssembly(t *rowStep97, columns int)
TEXT ·down97InAssembly(SB), NOSPLIT, $0-16
	ALPHA(V28)
	BETA(V29)
	GAMMA(V30)
	DELTA(V31)
	MOVD t+0(FP), R9
	MOVD columns+8(FP), R10
	SUB  $8, R10, R10

	MOVD rowStep97_low(R9), R0
	MOVD rowStep97_before(R9), R1
	MOVD rowStep97_after(R9), R2
	MOVD rowStep97_previousLow(R9), R3
	MOVD rowStep97_liftedLow(R9), R4
	MOVD rowStep97_previousHigh(R9), R5
	MOVD rowStep97_liftedHigh(R9), R6
	MOVD rowStep97_previousEven(R9), R7
	MOVD rowStep97_even(R9), R8
	MOVD rowStep97_odd(R9), R9

step:
	FLDPQ.P 32(R0), (F0, F1)
	FLDPQ.P 32(R1), (F2, F3)
	FLDPQ.P 32(R2), (F4, F5)
	FLDPQ.P 32(R3), (F6, F7)
	FLDPQ.P 32(R5), (F8, F9)
	FLDPQ.P 32(R7), (F10, F11)
	LIFT(0, 2, 4, 31, 16) // the low row
	LIFT(1, 3, 5, 31, 17)
	FSTPQ.P (F16, F17), 32(R4)
	LIFT(2, 6, 16, 30, 18) // the high row before it
	LIFT(3, 7, 17, 30, 19)
	FSTPQ.P (F18, F19), 32(R6)
	LIFT(6, 8, 18, 29, 20) // the even row
	LIFT(7, 9, 19, 29, 21)
	FSTPQ.P (F20, F21), 32(R8)
	LIFT(8, 10, 20, 28, 22) // the odd row
	LIFT(9, 11, 21, 28, 23)
	FSTPQ.P (F22, F23), 32(R9)

	SUBS $8, R10, R10
	BGE  step
	CMN  $8, R10
	BEQ  done

	// Go back by the columns that are missing in the last step. R10 is negative.
	ADD  R10<<2, R0, R0
	ADD  R10<<2, R1, R1
	ADD  R10<<2, R2, R2
	ADD  R10<<2, R3, R3
	ADD  R10<<2, R4, R4
	ADD  R10<<2, R5, R5
	ADD  R10<<2, R6, R6
	ADD  R10<<2, R7, R7
	ADD  R10<<2, R8, R8
	ADD  R10<<2, R9, R9
	MOVD ZR, R10
	B    step

done:
	RET
