//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// LITERAL sets code to the code of a byte.
#define LITERAL(byte, code) \
	MOVBLZX byte, code           \
	MOVL    (DX)(code*4), code

// APPEND appends the bits of a code to value, and adds the length of the code to bits. It
// overwrites R14.
#define APPEND(code, value, bits) \
	MOVL  code, R14          \
	SHRL  $8, R14            \
	SHLXQ bits, R14, R14     \
	ORQ   R14, value         \
	ADDL  code, bits

// func putFours(o *output, codes *codes, literals *byte, fours int, last *byte) (left int)
//
// putFours writes the codes of fours*4 literals with BMI2. Its Go twin is output.putLiteralsGo. Bit
// counts have garbage above the lowest six bits, because whole codes are added to them; shifts
// ignore it.
//
//	BX   o
//	DX   codes of literals
//	SI   next literal
//	CX   remaining fours
//	DI   write address
//	R8   pending bits
//	R9   number of pending bits
//	R10-R13  codes of four literals; R10 and R12 become bit counts
//	AX   bits of the first two codes, then of all four
//	R15  bits of the last two codes
//	R14  temporary
TEXT ·putFours(SB), NOSPLIT, $0-48
	MOVQ o+0(FP), BX
	MOVQ codes+8(FP), DX
	MOVQ literals+16(FP), SI
	MOVQ fours+24(FP), CX
	MOVQ output_bytes(BX), DI
	ADDQ output_length(BX), DI
	MOVQ output_end+bitEnd_pending(BX), R8
	MOVQ output_end+bitEnd_count(BX), R9

four:
	CMPQ DI, last+32(FP)
	JHI  full
	LITERAL(0(SI), R10)
	LITERAL(1(SI), R11)
	LITERAL(2(SI), R12)
	LITERAL(3(SI), R13)
	MOVL R10, AX
	SHRL $8, AX
	APPEND(R11, AX, R10)
	MOVL R12, R15
	SHRL $8, R15
	APPEND(R13, R15, R12)
	SHLXQ R10, R15, R15
	ORQ   R15, AX
	ADDL  R12, R10
	SHLXQ R9, AX, AX
	ORQ   AX, R8
	ADDL  R10, R9
	ANDL  $63, R9
	MOVQ  R8, (DI)
	MOVL  R9, R10
	SHRL  $3, R10
	ADDQ  R10, DI
	MOVL  R9, R10
	ANDL  $56, R10
	SHRXQ R10, R8, R8
	ANDL  $7, R9
	ADDQ  $4, SI
	DECQ  CX
	JNZ   four

full:
	SUBQ output_bytes(BX), DI
	MOVQ DI, output_length(BX)
	MOVQ R8, output_end+bitEnd_pending(BX)
	MOVQ R9, output_end+bitEnd_count(BX)
	MOVQ CX, left+40(FP)
	RET
