//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// PUT writes the code in AX. R8 holds the pending bits, R9 their count, and DI the address of the
// next whole byte. It overwrites R10.
#define PUT \
	MOVL   AX, R10          \
	ANDL   $31, R10         \
	SHRL   $5, AX           \
	SHLXQ  R10, R8, R8      \
	ORQ    AX, R8           \
	ADDL   R10, R9          \
	MOVL   R9, R10          \
	NEGL   R10              \
	SHLXQ  R10, R8, R10     \
	BSWAPQ R10              \
	MOVQ   R10, (DI)        \
	MOVL   R9, R10          \
	SHRL   $3, R10          \
	ADDQ   R10, DI          \
	ANDL   $7, R9

// MAGNITUDE sets R10 to the number of bits of a value, and replaces the value by its value bits.
#define MAGNITUDE(value) \
	MOVL  value, R10         \
	SARL  $31, R10           \
	ADDL  R10, value         \
	XORL  value, R10         \
	LEAQ  1(R10)(R10*1), R10 \
	BSRQ  R10, R10           \
	BZHIL R10, value, value

// func writeBlocks(end *bitEnd, buffer *uint8, blocks *block, n int, previous int32, codes
// *codeTables, blockIndex *[64]uint8)
//
// writeBlocks codes n blocks with BMI1 and BMI2. Its Go twin is component.writeGo.
//
//	AX   code to write, or run of zeros
//	BX   blockIndex
//	CX   remaining blocks
//	DX   codes
//	SI   current block
//	DI   address of the next whole byte
//	R8   pending bits
//	R9   number of pending bits
//	R10  temporary
//	R11  coefficient, and its index
//	R12  index after the previous coefficient; before that, the DC difference
//	R13  previous DC coefficient
//	R14  saves AX
//	R15  mask of the remaining nonzero coefficients
TEXT ·writeBlocks(SB), NOSPLIT, $0-56
	MOVQ    end+0(FP), AX
	MOVQ    buffer+8(FP), DI
	MOVQ    blocks+16(FP), SI
	MOVQ    n+24(FP), CX
	MOVL    previous+32(FP), R13
	MOVQ    codes+40(FP), DX
	MOVQ    blockIndex+48(FP), BX
	MOVQ    bitEnd_pending(AX), R8
	MOVQ    bitEnd_count(AX), R9
	ADDQ    bitEnd_length(AX), DI

block:
	MOVWLSX block_coefficients(SI), R12
	MOVL    R12, R11
	SUBL    R13, R12
	MOVL    R11, R13
	MAGNITUDE(R12)
	ANDL    $15, R10
	MOVL    codeTables_dc(DX)(R10*4), AX
	SHLL    $5, R12
	ORL     R12, AX
	PUT

	MOVQ block_nonzero(SI), R15
	MOVL $1, R12 // index of the next coefficient
	ANDQ $-2, R15
	JZ   rest

coefficient:
	TZCNTQ  R15, R11
	BLSRQ   R15, R15
	MOVL    R11, AX
	MOVBLZX (BX)(R11*1), R10
	SUBL    R12, AX // length of the run of zeros
	LEAL    1(R11), R12
	MOVWLSX (SI)(R10*2), R11
	CMPL    AX, $15
	JHI     zeros

run:
	LEAL 32(R11), R10
	CMPL R10, $64
	JCC  large
	SHLL $6, AX
	ADDL R10, AX
	MOVL codeTables_small(DX)(AX*4), AX
	PUT
	TESTQ R15, R15
	JNZ   coefficient

rest:
	CMPL R12, $64
	JEQ  done
	MOVL codeTables_ac(DX), AX // of the symbol 0
	PUT

done:
	ADDQ $block__size, SI
	DECQ CX
	JNZ  block

	MOVQ end+0(FP), AX
	SUBQ buffer+8(FP), DI
	MOVQ DI, bitEnd_length(AX)
	MOVQ R8, bitEnd_pending(AX)
	MOVQ R9, bitEnd_count(AX)
	RET

zeros:
	SUBL $16, AX
	MOVL AX, R14
	MOVL codeTables_ac+960(DX), AX // of the symbol 0xf0
	PUT
	MOVL R14, AX
	CMPL AX, $15
	JHI  zeros
	JMP  run

large:
	MOVL AX, R14
	MAGNITUDE(R11)
	SHLL $4, R14
	ORL  R10, R14
	ANDL $255, R14
	MOVL codeTables_ac(DX)(R14*4), AX
	SHLL $5, R11
	ORL  R11, AX
	PUT
	TESTQ R15, R15
	JNZ   coefficient
	JMP   rest
