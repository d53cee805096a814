//go:build !purego

#include "go_asm.h"
#include "textflag.h"

#define CONSTANT(name, bits) \
	DATA name<>+0(SB)/4, $bits \
	GLOBL name<>(SB), RODATA|NOPTR, $4

// The constants of the standard, as the nearest 32-bit floats.
CONSTANT(alpha, 0xBFCB0673)
CONSTANT(beta, 0xBD5901AE)
CONSTANT(gamma, 0x3F620676)
CONSTANT(delta, 0x3EE31355)

// The third lane, where the samples are that precede the first vector.
CONSTANT(third, 2)

// LIFT subtracts weight times the sum of two neighbors from a sample.
#define LIFT(sample, before, after, weight, out) \
	VADDPS after, before, out \
	VMULPS weight, out, out   \
	VSUBPS out, sample, out

// DELAY moves a vector by one lane, so that it begins with the last sample of the vector before.
#define DELAY(previous, vector, out) \
	VPERM2F128 $0x21, vector, previous, out \
	VPALIGNR   $12, out, vector, out

// ACROSS lifts eight low samples for the first time, then the high samples before them, then the low
// samples before these.
#define ACROSS \
	VMULPS  (SI), Y10, Y3           \
	VMOVUPS (DX), Y4                \
	LIFT(Y3, Y4, 4(DX), Y11, Y5)    \
	VMULPS  Y12, Y4, Y4             \
	DELAY(Y0, Y5, Y6)               \
	VMOVAPS Y5, Y0                  \
	LIFT(Y4, Y6, Y0, Y13, Y5)       \
	DELAY(Y1, Y5, Y7)               \
	VMOVAPS Y5, Y1                  \
	LIFT(Y6, Y7, Y1, Y14, Y8)

// across97InAssembly computes pairs of samples of a row. Its Go twin is across97InGo. The first three
// samples of each band only begin the lifting.
//
//	DI  to              Y0, Y1  low and high samples, lifted once
//	SI  low             Y2      low samples of the vector before, lifted twice: even samples
//	DX  high            Y3-Y5   scratch
//	CX  vectors left    Y6, Y7  Y0 and Y1, delayed by one sample
//	                    Y8, Y9  even samples, delayed by one and by two
//	Y10, Y11, Y12  lowScale, lowWeight, highScale
//	Y13, Y14, Y15  gamma, beta, alpha
//
// func across97InAssembly(to, low, high *float32, vectors int, lowScale, lowWeight, highScale float32)
TEXT ·across97InAssembly(SB), NOSPLIT, $0-44
	MOVQ         to+0(FP), DI
	MOVQ         low+8(FP), SI
	MOVQ         high+16(FP), DX
	MOVQ         vectors+24(FP), CX
	VBROADCASTSS lowScale+32(FP), Y10
	VBROADCASTSS lowWeight+36(FP), Y11
	VBROADCASTSS highScale+40(FP), Y12
	VBROADCASTSS gamma<>(SB), Y13
	VBROADCASTSS beta<>(SB), Y14
	VBROADCASTSS alpha<>(SB), Y15

	// What precedes the first three samples has no effect on the third.
	VXORPS       Y0, Y0, Y0
	VXORPS       Y1, Y1, Y1
	ACROSS
	VPBROADCASTD third<>(SB), Y2
	VPERMPS      Y0, Y2, Y0
	VPERMPS      Y1, Y2, Y1
	VPERMPS      Y8, Y2, Y2
	ADDQ         $12, SI
	ADDQ         $12, DX

step:
	ACROSS
	DELAY(Y2, Y8, Y9)
	VMOVAPS    Y8, Y2
	LIFT(Y7, Y9, Y2, Y15, Y3) // the odd samples
	VUNPCKLPS  Y3, Y9, Y4
	VUNPCKHPS  Y3, Y9, Y5
	VPERM2F128 $0x20, Y5, Y4, Y6
	VPERM2F128 $0x31, Y5, Y4, Y7
	VMOVUPS    Y6, (DI)
	VMOVUPS    Y7, 32(DI)
	ADDQ       $32, SI
	ADDQ       $32, DX
	ADDQ       $64, DI
	DECQ       CX
	JNZ        step
	VZEROUPPER
	RET

// down97InAssembly computes a vertical step of the 9-7 wavelet. Its Go twin is rowStep97.from.
//
//	CX   low             BX   byte offset of the columns
//	DX   before          R13  byte offset of the last vector
//	SI   after           Y12  alpha
//	DI   previousLow     Y13  beta
//	R8   liftedLow       Y14  gamma
//	R9   previousHigh    Y15  delta
//	R10  liftedHigh      Y0-Y5  input rows
//	R11  previousEven    Y6-Y9  output rows
//	R12  even
//	AX   odd
//
// func down97InAssembly(t *rowStep97, columns int)
TEXT ·down97InAssembly(SB), NOSPLIT, $0-16
	MOVQ t+0(FP), AX
	MOVQ columns+8(FP), R13
	SUBQ $8, R13
	SHLQ $2, R13
	XORQ BX, BX

	VBROADCASTSS alpha<>(SB), Y12
	VBROADCASTSS beta<>(SB), Y13
	VBROADCASTSS gamma<>(SB), Y14
	VBROADCASTSS delta<>(SB), Y15

	MOVQ rowStep97_low(AX), CX
	MOVQ rowStep97_before(AX), DX
	MOVQ rowStep97_after(AX), SI
	MOVQ rowStep97_previousLow(AX), DI
	MOVQ rowStep97_liftedLow(AX), R8
	MOVQ rowStep97_previousHigh(AX), R9
	MOVQ rowStep97_liftedHigh(AX), R10
	MOVQ rowStep97_previousEven(AX), R11
	MOVQ rowStep97_even(AX), R12
	MOVQ rowStep97_odd(AX), AX

step:
	VMOVUPS (CX)(BX*1), Y0
	VMOVUPS (DX)(BX*1), Y1
	VMOVUPS (SI)(BX*1), Y2
	VMOVUPS (DI)(BX*1), Y3
	VMOVUPS (R9)(BX*1), Y4
	VMOVUPS (R11)(BX*1), Y5
	LIFT(Y0, Y1, Y2, Y15, Y6) // the low row
	VMOVUPS Y6, (R8)(BX*1)
	LIFT(Y1, Y3, Y6, Y14, Y7) // the high row before it
	VMOVUPS Y7, (R10)(BX*1)
	LIFT(Y3, Y4, Y7, Y13, Y8) // the even row
	VMOVUPS Y8, (R12)(BX*1)
	LIFT(Y4, Y5, Y8, Y12, Y9) // the odd row
	VMOVUPS Y9, (AX)(BX*1)

	CMPQ    BX, R13
	JEQ     done
	ADDQ    $32, BX
	CMPQ    BX, R13
	CMOVQGT R13, BX
	JMP     step

done:
	VZEROUPPER
	RET
