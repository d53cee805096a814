//go:build !purego

#include "textflag.h"

// func swapEach(words *byte, pattern *vector, vectors int)
//
// swapEach shuffles the bytes of each vector with SSSE3. Its Go twin is swapInGo.
//
//	DI      next vector
//	DX      pattern
//	CX      remaining vectors
//	X0, X1  vectors
//	X2      pattern
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

// JOIN_BYTES interleaves bytes to words. low holds the low bytes and receives the first eight
// words; rest receives the others.
#define JOIN_BYTES(high, low, rest) \
	MOVO      low, rest  \
	PUNPCKLBW high, low  \
	PUNPCKHBW high, rest

// JOIN_WORDS interleaves 16-bit words to 32-bit words.
#define JOIN_WORDS(high, low, rest) \
	MOVO      low, rest  \
	PUNPCKLWL high, low  \
	PUNPCKHWL high, rest

// JOIN_DOUBLES interleaves 32-bit words to 64-bit words and stores them. It overwrites X8.
#define JOIN_DOUBLES(high, low, at) \
	MOVO      low, X8       \
	PUNPCKLLQ high, low     \
	PUNPCKHLQ high, X8      \
	MOVOU     low, at(DI)   \
	MOVOU     X8, at+16(DI)

// func joinTwos(samples, bytePlanes *byte, planeBytes, steps int)
//
// joinTwos assembles samples of two bytes, 16 per step. Its Go twin is joinInGo.
//
//	DI     samples
//	SI     high bytes
//	DX     planeBytes
//	CX     remaining steps
//	X0-X2  bytes, then words
TEXT ·joinTwos(SB), NOSPLIT, $0-32
	MOVQ samples+0(FP), DI
	MOVQ bytePlanes+8(FP), SI
	MOVQ planeBytes+16(FP), DX
	MOVQ steps+24(FP), CX

step:
	MOVOU (SI), X0
	MOVOU (SI)(DX*1), X1
	JOIN_BYTES(X0, X1, X2)
	MOVOU X1, 0(DI)
	MOVOU X2, 16(DI)
	ADDQ  $16, SI
	ADDQ  $32, DI
	DECQ  CX
	JNZ   step
	RET

// func joinFours(samples, bytePlanes *byte, planeBytes, steps int)
//
// joinFours assembles samples of four bytes, 16 per step. Its Go twin is join4.
//
//	DI      samples
//	SI      highest bytes
//	DX, R8  planeBytes, 3*planeBytes
//	CX      remaining steps
//	X0-X7   bytes, words, and samples
TEXT ·joinFours(SB), NOSPLIT, $0-32
	MOVQ samples+0(FP), DI
	MOVQ bytePlanes+8(FP), SI
	MOVQ planeBytes+16(FP), DX
	MOVQ steps+24(FP), CX
	LEAQ (DX)(DX*2), R8 // 3*planeBytes

step:
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
	JNZ   step
	RET

// func joinEights(samples, bytePlanes *byte, planeBytes, steps int)
//
// joinEights assembles samples of eight bytes, 16 per step. Its Go twin is joinInGo.
//
//	DI      samples
//	SI, BX  highest bytes, and the fifth highest bytes
//	DX, R8  planeBytes, 3*planeBytes
//	CX      remaining steps
//	X0-X14  bytes, words, and samples
TEXT ·joinEights(SB), NOSPLIT, $0-32
	MOVQ samples+0(FP), DI
	MOVQ bytePlanes+8(FP), SI
	MOVQ planeBytes+16(FP), DX
	MOVQ steps+24(FP), CX
	LEAQ (DX)(DX*2), R8

step:
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
	JOIN_WORDS(X1, X3, X12) // the high halves of samples 0 to 3, and 4 to 7
	JOIN_WORDS(X8, X9, X13) // 8 to 11, and 12 to 15
	JOIN_WORDS(X5, X7, X14) // the low halves of samples 0 to 3, and 4 to 7
	JOIN_WORDS(X10, X11, X0) // 8 to 11, and 12 to 15
	JOIN_DOUBLES(X3, X7, 0)
	JOIN_DOUBLES(X12, X14, 32)
	JOIN_DOUBLES(X9, X11, 64)
	JOIN_DOUBLES(X13, X0, 96)
	ADDQ  $16, SI
	ADDQ  $128, DI
	DECQ  CX
	JNZ   step
	RET

// eachByte repeats two bytes eight times each. eachBit selects the bits of a byte from the highest
// down.
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
//
// widenPairs expands two bytes of bits to 16 samples per step, with SSSE3. Its Go twin is
// widenBitsInGo.
//
//	DI   samples
//	SI   bits
//	CX   remaining steps
//	AX   two bytes of bits
//	X0   bits, then samples
//	X1   eachByte
//	X2   eachBit
//	X3   ones
TEXT ·widenPairs(SB), NOSPLIT, $0-24
	MOVQ  samples+0(FP), DI
	MOVQ  bits+8(FP), SI
	MOVQ  steps+16(FP), CX
	MOVOU eachByte<>(SB), X1
	MOVOU eachBit<>(SB), X2
	MOVOU ones<>(SB), X3

step:
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
	JNZ     step
	RET
