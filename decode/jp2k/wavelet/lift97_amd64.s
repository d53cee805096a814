//go:build !purego

#include "go_asm.h"
#include "textflag.h"

#define CONSTANT(name, bits) \
	DATA name<>+0(SB)/4, $bits \
	GLOBL name<>(SB), RODATA|NOPTR, $4

// The constants of the standard, as the nearest 32 bits.
CONSTANT(alpha, 0xBFCB0673)
CONSTANT(beta, 0xBD5901AE)
CONSTANT(gamma, 0x3F620676)
CONSTANT(delta, 0x3EE31355)

// LIFT takes weight times the sum of two neighbours away from a sample.
#define LIFT(sample, before, after, weight, out) \
	VADDPS after, before, out \
	VMULPS weight, out, out   \
	VSUBPS out, sample, out

// func liftAVX2(to, from, neighbours *float32, vectors int, scale, weight float32)
TEXT ·liftAVX2(SB), NOSPLIT, $0-40
	MOVQ         to+0(FP), DI
	MOVQ         from+8(FP), SI
	MOVQ         neighbours+16(FP), DX
	MOVQ         vectors+24(FP), CX
	VBROADCASTSS scale+32(FP), Y14
	VBROADCASTSS weight+36(FP), Y15

turn:
	VMOVUPS (DX), Y0
	VMOVUPS 4(DX), Y1
	VMULPS  (SI), Y14, Y2
	LIFT(Y2, Y0, Y1, Y15, Y3)
	VMOVUPS Y3, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DX
	ADDQ    $32, DI
	DECQ    CX
	JNZ     turn
	VZEROUPPER
	RET

// func across97LastAVX2(to, low, high *float32, vectors int)
TEXT ·across97LastAVX2(SB), NOSPLIT, $0-32
	MOVQ         to+0(FP), DI
	MOVQ         low+8(FP), SI
	MOVQ         high+16(FP), DX
	MOVQ         vectors+24(FP), CX
	VBROADCASTSS alpha<>(SB), Y15

turn:
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
	JNZ        turn
	VZEROUPPER
	RET

// func down97AVX2(t *turn97, columns int)
//
// BX counts bytes, and R13 is where the last vector begins.
TEXT ·down97AVX2(SB), NOSPLIT, $0-16
	MOVQ t+0(FP), AX
	MOVQ columns+8(FP), R13
	SUBQ $8, R13
	SHLQ $2, R13
	XORQ BX, BX

	VBROADCASTSS alpha<>(SB), Y12
	VBROADCASTSS beta<>(SB), Y13
	VBROADCASTSS gamma<>(SB), Y14
	VBROADCASTSS delta<>(SB), Y15

	MOVQ turn97_low(AX), CX
	MOVQ turn97_before(AX), DX
	MOVQ turn97_after(AX), SI
	MOVQ turn97_previousLow(AX), DI
	MOVQ turn97_liftedLow(AX), R8
	MOVQ turn97_previousHigh(AX), R9
	MOVQ turn97_liftedHigh(AX), R10
	MOVQ turn97_previousEven(AX), R11
	MOVQ turn97_even(AX), R12
	MOVQ turn97_odd(AX), AX

turn:
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
	JMP     turn

done:
	VZEROUPPER
	RET
