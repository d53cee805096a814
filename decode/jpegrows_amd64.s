//go:build !purego

#include "textflag.h"

// SSE2, which every amd64 machine has, and the very arithmetic of the Go code
// that does the rest of a row: machines must not differ in the pixels they make.

// BROADCAST fills a register with a 64-bit pattern.
#define BROADCAST(pattern, x) \
	MOVQ       $pattern, AX \
	MOVQ       AX, x        \
	PUNPCKLQDQ x, x

// func rgbEights(red, green, blue, luma, cb, cr *byte, n int)
//
// The weights are those of rgbRow, less the whole parts, which are added apart,
// so that they fit into 16 bits:
//
//	red   = y + v  + ( 26345 v + half) >> 16
//	green = y - v  + (-22554 u + 18734 v + half) >> 16
//	blue  = y + 2u + (-14942 u + half) >> 16
//
// A product is rounded by keeping one bit more of it: (k 2v >> 16 + 1) >> 1.
TEXT ·rgbEights(SB), NOSPLIT, $0-56
	MOVQ red+0(FP), R8
	MOVQ green+8(FP), R9
	MOVQ blue+16(FP), R10
	MOVQ luma+24(FP), SI
	MOVQ cb+32(FP), BX
	MOVQ cr+40(FP), DX
	MOVQ n+48(FP), CX
	PXOR X15, X15
	BROADCAST(0x0080008000800080, X14)
	BROADCAST(0x66E966E966E966E9, X13) // 26345
	BROADCAST(0xC5A2C5A2C5A2C5A2, X12) // -14942
	BROADCAST(0x492EA7E6492EA7E6, X11) // 18734, -22554
	BROADCAST(0x0000800000008000, X10) // half
	BROADCAST(0x0001000100010001, X9)
	XORQ DI, DI

eight:
	CMPQ DI, CX
	JGE  done
	MOVQ (SI)(DI*1), X0
	MOVQ (BX)(DI*1), X1
	MOVQ (DX)(DI*1), X2
	PUNPCKLBW X15, X0 // y
	PUNPCKLBW X15, X1
	PUNPCKLBW X15, X2
	PSUBW X14, X1     // u
	PSUBW X14, X2     // v

	MOVO X2, X3
	PADDW X3, X3
	PMULHW X13, X3
	PADDW X9, X3
	PSRAW $1, X3
	PADDW X2, X3
	PADDW X0, X3
	PACKUSWB X3, X3
	MOVQ X3, (R8)(DI*1)

	MOVO X1, X4
	PADDW X4, X4
	PMULHW X12, X4
	PADDW X9, X4
	PSRAW $1, X4
	PADDW X1, X4
	PADDW X1, X4
	PADDW X0, X4
	PACKUSWB X4, X4
	MOVQ X4, (R10)(DI*1)

	MOVO X1, X5
	PUNPCKLWL X2, X5  // u, v of the first four
	MOVO X1, X6
	PUNPCKHWL X2, X6  // and of the others
	PMADDWL X11, X5
	PMADDWL X11, X6
	PADDL X10, X5
	PADDL X10, X6
	PSRAL $16, X5
	PSRAL $16, X6
	PACKSSLW X6, X5
	PSUBW X2, X5
	PADDW X0, X5
	PACKUSWB X5, X5
	MOVQ X5, (R9)(DI*1)

	ADDQ $8, DI
	JMP  eight

done:
	RET

// func sumEights(sums *uint16, near, far *byte, n int)
TEXT ·sumEights(SB), NOSPLIT, $0-32
	MOVQ sums+0(FP), R8
	MOVQ near+8(FP), SI
	MOVQ far+16(FP), BX
	MOVQ n+24(FP), CX
	PXOR X15, X15
	XORQ DI, DI

eight:
	CMPQ DI, CX
	JGE  done
	MOVQ (SI)(DI*1), X0
	MOVQ (BX)(DI*1), X1
	PUNPCKLBW X15, X0
	PUNPCKLBW X15, X1
	PADDW X0, X1
	PADDW X0, X0
	PADDW X0, X1
	MOVOU X1, (R8)(DI*2)
	ADDQ $8, DI
	JMP  eight

done:
	RET

// func widenEights(out *byte, sums *uint16, n int)
//
// It reads one sum more than n, and writes two samples between any two of them.
TEXT ·widenEights(SB), NOSPLIT, $0-24
	MOVQ out+0(FP), R8
	MOVQ sums+8(FP), SI
	MOVQ n+16(FP), CX
	BROADCAST(0x0007000700070007, X14)
	BROADCAST(0x0008000800080008, X13)
	XORQ DI, DI

eight:
	CMPQ DI, CX
	JGE  done
	MOVOU (SI)(DI*2), X0  // a
	MOVOU 2(SI)(DI*2), X1 // b
	MOVO X0, X2
	PADDW X1, X2          // a + b
	PADDW X0, X0
	PADDW X1, X1
	PADDW X2, X0          // 3a + b
	PADDW X2, X1          // 3b + a
	PADDW X14, X0
	PADDW X13, X1
	PSRLW $4, X0
	PSRLW $4, X1
	PSLLW $8, X1
	POR  X1, X0
	MOVOU X0, (R8)(DI*2)
	ADDQ $8, DI
	JMP  eight

done:
	RET
