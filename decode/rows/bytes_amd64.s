//go:build !purego

#include "textflag.h"

// func swapEach(words *byte, pattern *vector, vectors int)
TEXT ·swapEach(SB), NOSPLIT, $0-24
	MOVQ  words+0(FP), DI
	MOVQ  pattern+8(FP), DX
	MOVQ  vectors+16(FP), CX
	MOVOU (DX), X2

twoVectors:
	SUBQ   $2, CX
	JLT    lastVector
	MOVOU  (DI), X0
	MOVOU  16(DI), X1
	PSHUFB X2, X0
	PSHUFB X2, X1
	MOVOU  X0, (DI)
	MOVOU  X1, 16(DI)
	ADDQ   $32, DI
	JMP    twoVectors

lastVector:
	ADDQ   $1, CX
	JNE    done
	MOVOU  (DI), X0
	PSHUFB X2, X0
	MOVOU  X0, (DI)

done:
	RET

// JOIN_BYTES makes words of bytes: low has the lower ones and gets the first eight words, rest the others.
#define JOIN_BYTES(high, low, rest) \
	MOVO      low, rest  \
	PUNPCKLBW high, low  \
	PUNPCKHBW high, rest

// JOIN_WORDS makes double words of words.
#define JOIN_WORDS(high, low, rest) \
	MOVO      low, rest  \
	PUNPCKLWL high, low  \
	PUNPCKHWL high, rest

// JOIN_DOUBLES makes quadruple words of double words and writes them.
#define JOIN_DOUBLES(high, low, at) \
	MOVO      low, X8       \
	PUNPCKLLQ high, low     \
	PUNPCKHLQ high, X8      \
	MOVOU     low, at(DI)   \
	MOVOU     X8, at+16(DI)

// func joinTwos(samples, apart *byte, apartStep, steps int)
TEXT ·joinTwos(SB), NOSPLIT, $0-32
	MOVQ samples+0(FP), DI
	MOVQ apart+8(FP), SI
	MOVQ apartStep+16(FP), DX
	MOVQ steps+24(FP), CX

turn:
	MOVOU (SI), X0
	MOVOU (SI)(DX*1), X1
	JOIN_BYTES(X0, X1, X2)
	MOVOU X1, 0(DI)
	MOVOU X2, 16(DI)
	ADDQ  $16, SI
	ADDQ  $32, DI
	DECQ  CX
	JNZ   turn
	RET

// func joinFours(samples, apart *byte, apartStep, steps int)
TEXT ·joinFours(SB), NOSPLIT, $0-32
	MOVQ samples+0(FP), DI
	MOVQ apart+8(FP), SI
	MOVQ apartStep+16(FP), DX
	MOVQ steps+24(FP), CX
	LEAQ (DX)(DX*2), R8 // three times

turn:
	MOVOU (SI), X0
	MOVOU (SI)(DX*1), X1
	MOVOU (SI)(DX*2), X2
	MOVOU (SI)(R8*1), X3
	JOIN_BYTES(X0, X1, X4)
	JOIN_BYTES(X2, X3, X5)
	JOIN_WORDS(X1, X3, X6)
	JOIN_WORDS(X4, X5, X7)
	MOVOU X3, 0(DI)
	MOVOU X6, 16(DI)
	MOVOU X5, 32(DI)
	MOVOU X7, 48(DI)
	ADDQ  $16, SI
	ADDQ  $64, DI
	DECQ  CX
	JNZ   turn
	RET

// func joinEights(samples, apart *byte, apartStep, steps int)
TEXT ·joinEights(SB), NOSPLIT, $0-32
	MOVQ samples+0(FP), DI
	MOVQ apart+8(FP), SI
	MOVQ apartStep+16(FP), DX
	MOVQ steps+24(FP), CX
	LEAQ (DX)(DX*2), R8

turn:
	LEAQ  (SI)(DX*4), BX
	MOVOU (SI), X0
	MOVOU (SI)(DX*1), X1
	MOVOU (SI)(DX*2), X2
	MOVOU (SI)(R8*1), X3
	MOVOU (BX), X4
	MOVOU (BX)(DX*1), X5
	MOVOU (BX)(DX*2), X6
	MOVOU (BX)(R8*1), X7
	JOIN_BYTES(X0, X1, X8)
	JOIN_BYTES(X2, X3, X9)
	JOIN_BYTES(X4, X5, X10)
	JOIN_BYTES(X6, X7, X11)
	JOIN_WORDS(X1, X3, X12)  // the high halves of samples 0 to 3, and 4 to 7
	JOIN_WORDS(X8, X9, X13)  // 8 to 11, and 12 to 15
	JOIN_WORDS(X5, X7, X14)  // the low halves of samples 0 to 3, and 4 to 7
	JOIN_WORDS(X10, X11, X0) // 8 to 11, and 12 to 15
	JOIN_DOUBLES(X3, X7, 0)
	JOIN_DOUBLES(X12, X14, 32)
	JOIN_DOUBLES(X9, X11, 64)
	JOIN_DOUBLES(X13, X0, 96)
	ADDQ  $16, SI
	ADDQ  $128, DI
	DECQ  CX
	JNZ   turn
	RET

// Each of two bytes eight times, the bits of a byte from the highest down, and ones.
DATA eachByte<>+0(SB)/8, $0x0000000000000000
DATA eachByte<>+8(SB)/8, $0x0101010101010101
GLOBL eachByte<>(SB), RODATA|NOPTR, $16
DATA eachBit<>+0(SB)/8, $0x0102040810204080
DATA eachBit<>+8(SB)/8, $0x0102040810204080
GLOBL eachBit<>(SB), RODATA|NOPTR, $16
DATA ones<>+0(SB)/8, $0x0101010101010101
DATA ones<>+8(SB)/8, $0x0101010101010101
GLOBL ones<>(SB), RODATA|NOPTR, $16

// func widenPairs(samples, bits *byte, steps int)
TEXT ·widenPairs(SB), NOSPLIT, $0-24
	MOVQ  samples+0(FP), DI
	MOVQ  bits+8(FP), SI
	MOVQ  steps+16(FP), CX
	MOVOU eachByte<>(SB), X1
	MOVOU eachBit<>(SB), X2
	MOVOU ones<>(SB), X3

turn:
	MOVWLZX (SI), AX
	MOVQ    AX, X0
	PSHUFB  X1, X0
	PAND    X2, X0
	PCMPEQB X2, X0
	PAND    X3, X0
	MOVOU   X0, (DI)
	ADDQ    $2, SI
	ADDQ    $16, DI
	DECQ    CX
	JNZ     turn
	RET
