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

// liftInAssembly computes a lifting step of the 9-7 wavelet. Its Go twin is liftInGo.
//
//	R0  to              V0, V1  from
//	R1  from            V2-V5   neighbors: before, after
//	R2  neighbors       V6, V7  sums
//	R3  vectors left    V30     scale
//	                    V31     weight
//
// func liftInAssembly(to, from, neighbors *float32, vectors int, scale, weight float32)
TEXT ·liftInAssembly(SB), NOSPLIT, $0-40
	MOVD to+0(FP), R0
	MOVD from+8(FP), R1
	MOVD neighbors+16(FP), R2
	MOVD vectors+24(FP), R3
	FMOVS scale+32(FP), F30
	FMOVS weight+36(FP), F31
	VDUP V30.S[0], V30.S4
	VDUP V31.S[0], V31.S4

step:
	FLDPQ.P 32(R1), (F0, F1)
	FLDPQ.P 32(R2), (F2, F3)
	FMOVQ   -28(R2), F4
	FMOVQ   -12(R2), F5
	VFMUL_S4(30, 0, 0)
	VFMUL_S4(30, 1, 1)
	LIFT(0, 2, 4, 31, 6)
	LIFT(1, 3, 5, 31, 7)
	FSTPQ.P (F6, F7), 32(R0)
	SUB     $1, R3, R3
	CBNZ    R3, step
	RET

// across97LastInAssembly computes the last lifting step of a row and interleaves the samples. Its
// Go twin is across97LastInGo.
//
//	R0  to              V0, V2  low samples, which are even
//	R1  low             V1, V3  odd samples
//	R2  high            V4, V5  low samples after
//	R3  vectors left    V6, V7  high samples
//	                    V31     alpha
//
// func across97LastInAssembly(to, low, high *float32, vectors int)
TEXT ·across97LastInAssembly(SB), NOSPLIT, $0-32
	MOVD to+0(FP), R0
	MOVD low+8(FP), R1
	MOVD high+16(FP), R2
	MOVD vectors+24(FP), R3
	ALPHA(V31)

step:
	FLDPQ.P 32(R1), (F0, F2)
	FMOVQ   -28(R1), F4
	FMOVQ   -12(R1), F5
	FLDPQ.P 32(R2), (F6, F7)
	LIFT(6, 0, 4, 31, 1)
	LIFT(7, 2, 5, 31, 3)
	VST2.P  [V0.S4, V1.S4], 32(R0)
	VST2.P  [V2.S4, V3.S4], 32(R0)
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
