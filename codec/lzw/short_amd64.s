//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Registers of writeShortBMI2:
//
//	AX   window of bits, the next code highest
//	R9   width of codes
//	R10  64 - width
//	DI   start of the destination
//	R11  write offset from there
//	SI   source
//	DX   code of the next string
//	R13  table
//	R12  a length of one, as part of an entry
//	BX   previous entry
//	R15  length of the previous entry in bits
//	CX   entry
//	R14  length of the entry
//	R8   temporary

// CODE decodes one code, like an iteration of writeShortRunInGo.
#define CODE \
	SHRXQ   R10, AX, CX                    \
	CMPQ    CX, DX                         \
	JHS     done                           \
	MOVQ    (R13)(CX*8), CX                \
	MOVQ    CX, R14                        \
	SHRQ    $const_lengthShift, R14        \
	CMPQ    R14, $const_shortBytes         \
	JHI     done                           \
	SHLXQ   R9, AX, AX                     \
	MOVQ    CX, (DI)(R11*1)                \
	MOVBQZX CX, R8                         \
	ADDQ    R12, BX                        \
	SHLXQ   R15, R8, R8                    \
	ORQ     R8, BX                         \
	MOVQ    BX, (R13)(DX*8)                \
	INCQ    DX                             \
	MOVL    R11, table_offsets(R13)(DX*4)   \
	ADDQ    R14, R11                       \
	LEAQ    (R14*8), R15                   \
	MOVQ    CX, BX

// func writeShortBMI2(t *table, dst *byte, n int, src *byte, bit int, width uint, end int) int
//
// writeShortBMI2 decodes short strings, four codes per load. Its Go twin is writeShortRunInGo.
TEXT ·writeShortBMI2(SB), NOSPLIT, $0-64
	MOVQ t+0(FP), R13
	MOVQ dst+8(FP), DI
	MOVQ n+16(FP), R11
	MOVQ src+24(FP), SI
	MOVQ width+40(FP), R9
	MOVQ $64, R10
	SUBQ R9, R10
	MOVQ table_next(R13), DX
	MOVQ table_previous(R13), BX
	MOVQ BX, R15
	SHRQ $const_lengthShift, R15
	SHLQ $3, R15
	MOVQ $1, R12
	SHLQ $const_lengthShift, R12

four:
	MOVQ   bit+32(FP), CX
	MOVQ   CX, R8
	SHRQ   $3, R8
	MOVQ   (SI)(R8*1), AX
	LEAQ   (CX)(R9*4), R8
	MOVQ   R8, bit+32(FP)
	ANDL   $7, CX
	BSWAPQ AX
	SHLXQ  CX, AX, AX
	CODE
	CODE
	CODE
	CODE
	CMPQ DX, end+48(FP)
	JLO  four

done:
	MOVQ DX, table_next(R13)
	MOVQ BX, table_previous(R13)
	MOVQ R11, ret+56(FP)
	RET
