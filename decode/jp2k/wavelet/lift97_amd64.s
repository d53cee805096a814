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

// LIFT subtracts weight times the sum of two neighbors from a sample.
#define LIFT(sample, before, after, weight, out) \
	VADDPS after, before, out \
	VMULPS weight, out, out   \
	VSUBPS out, sample, out

// liftInAssembly computes a lifting step of the 9-7 wavelet. Its Go twin is liftInGo.
//
//	DI   to           Y14  scale
//	SI   from         Y15  weight
//	DX   neighbors    Y0-Y3  scratch
//	CX   vectors left
//
// func liftInAssembly(to, from, neighbors *float32, vectors int, scale, weight float32)
TEXT ·liftInAssembly(SB), NOSPLIT, $0-40
	MOVQ         to+0(FP), DI
	MOVQ         from+8(FP), SI
	MOVQ         neighbors+16(FP), DX
	MOVQ         vectors+24(FP), CX
	VBROADCASTSS scale+32(FP), Y14
	VBROADCASTSS weight+36(FP), Y15

step:
	VMOVUPS (DX), Y0
	VMOVUPS 4(DX), Y1
	VMULPS  (SI), Y14, Y2
	LIFT(Y2, Y0, Y1, Y15, Y3)
	VMOVUPS Y3, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DX
	ADDQ    $32, DI
	DECQ    CX
	JNZ     step
	VZEROUPPER
	RET

// across97LastInAssembly computes the last lifting step of a row and interleaves the samples. Its Go twin
// is across97LastInGo.
//
//	DI   to           Y15    alpha
//	SI   low          Y0-Y7  scratch
//	DX   high
//	CX   vectors left
//
// func across97LastInAssembly(to, low, high *float32, vectors int)
TEXT ·across97LastInAssembly(SB), NOSPLIT, $0-32
	MOVQ         to+0(FP), DI
	MOVQ         low+8(FP), SI
	MOVQ         high+16(FP), DX
	MOVQ         vectors+24(FP), CX
	VBROADCASTSS alpha<>(SB), Y15

step:
	VMOVUPS    (SI), Y0
	VMOVUPS    4(SI), Y1
	VMOVUPS    (DX), Y2
	LIFT(Y2, Y0, Y1, Y15, Y3)
	VUNPCKLPS  Y3, Y0, Y4
	VUNPCKHPS  Y3, Y0, Y5
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
