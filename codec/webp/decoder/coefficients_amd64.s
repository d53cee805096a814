//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Registers of readBlockBMI2 and its macros:
//
//	R8   the reader's value
//	R9   the reader's count
//	R10  the reader's span
//	SI   address of the next byte to load
//	DI   block
//	R13  probabilities of all bands
//	R15  probabilities of the next bit
//	R14  index of the coefficient in zigzag order
//	DX   value of the coefficient
//	R11  probabilities of a range of large values
//	AX, BX, CX, R12  temporaries

// bandPlaces maps a coefficient index to the offset of its probabilities: bandOf times 33.
DATA bandPlaces<>+0(SB)/8, $0xC6A584C663422100
DATA bandPlaces<>+8(SB)/8, $0xE7C6C6C6C6C6C6C6
DATA bandPlaces<>+16(SB)/1, $0
GLOBL bandPlaces<>(SB), RODATA|NOPTR, $17

// coefficientPlaces maps a coefficient index to its byte offset in the block: twice zigzag.
DATA coefficientPlaces<>+0(SB)/8, $0x0C06040A10080200
DATA coefficientPlaces<>+8(SB)/8, $0x1E1C160E141A1812
GLOBL coefficientPlaces<>(SB), RODATA|NOPTR, $16

// REFILL loads at least 56 bits, which suffice for seven bits of output. It overwrites AX and CX.
#define REFILL \
	MOVQ   (SI), AX    \
	BSWAPQ AX          \
	SHRXQ  R9, AX, AX  \
	ORQ    AX, R8      \
	MOVL   $63, CX     \
	SUBL   R9, CX      \
	SHRL   $3, CX      \
	ADDQ   CX, SI      \
	ORL    $56, R9

// COMPARE computes the split for the probability in AX: BX is the span of a 0, CX the split. It
// sets the flags for JLO if the bit is 0. ZERO or ONE must follow.
#define COMPARE \
	LEAL  -1(R10), BX \
	IMULL AX, BX      \
	SHRL  $8, BX      \
	INCL  BX          \
	MOVQ  BX, CX      \
	SHLQ  $56, CX     \
	CMPQ  R8, CX

#define ZERO \
	MOVL BX, R10 \
	NORMALIZE

#define ONE \
	SUBQ CX, R8  \
	SUBL BX, R10 \
	NORMALIZE

#define NORMALIZE \
	LZCNTL R10, CX      \
	SUBL   $24, CX      \
	SHLXL  CX, R10, R10 \
	SHLXQ  CX, R8, R8   \
	SUBL   CX, R9

// APPEND decodes a bit with the probability in AX and shifts it into DX. It does not branch, since
// the bits are hard to predict. It overwrites BX, CX and R12.
#define APPEND \
	LEAL    -1(R10), BX \
	IMULL   AX, BX      \
	SHRL    $8, BX      \
	INCL    BX          \
	MOVQ    BX, CX      \
	SHLQ    $56, CX     \
	SUBL    BX, R10     \
	MOVQ    R8, R12     \
	SUBQ    CX, R12     \
	CMOVQCC R12, R8     \
	CMOVLCS BX, R10     \
	CMC                 \
	ADCL    DX, DX      \
	NORMALIZE

// BAND sets R15 to the probabilities of the coefficient with index AX.
#define BAND \
	MOVQ    $bandPlaces<>(SB), R15 \
	MOVBLZX (R15)(AX*1), R15       \
	ADDQ    R13, R15

// func readBlockBMI2(r *boolReader, block *[16]int16, bands *[8][3][11]uint8, context, first int,
// step *[2]int32) int
//
// readBlockBMI2 decodes the coefficients of a block. Its Go twin is readBlockInGo. The registers
// are listed at the top of the file.
TEXT ·readBlockBMI2(SB), NOSPLIT, $0-56
	MOVQ  r+0(FP), AX
	MOVQ  block+8(FP), DI
	MOVQ  bands+16(FP), R13
	MOVQ  first+32(FP), R14
	MOVQ  boolReader_data(AX), SI
	ADDQ  boolReader_at(AX), SI
	MOVQ  boolReader_value(AX), R8
	MOVQ  boolReader_count(AX), R9
	MOVL  boolReader_span(AX), R10
	MOVQ  R14, AX
	BAND
	MOVQ  context+24(FP), AX
	IMULQ $11, AX
	ADDQ  AX, R15

coefficient:
	CMPQ    R14, $16
	JHS     done
	REFILL
	MOVBLZX (R15), AX
	COMPARE
	JLO     end
	ONE

afterZero:
	MOVBLZX 1(R15), AX
	COMPARE
	JHS     notZero
	ZERO
	INCQ    R14
	CMPQ    R14, $16
	JHS     done
	MOVQ    R14, AX
	BAND
	REFILL
	JMP     afterZero

notZero:
	ONE
	MOVBLZX 2(R15), AX
	COMPARE
	JHS     large
	ZERO
	MOVL    $1, DX
	LEAQ    1(R14), AX
	BAND
	ADDQ    $11, R15

sign:
	LEAL    1(R10), BX
	SHRL    $1, BX
	MOVQ    BX, CX
	SHLQ    $56, CX
	SUBL    BX, R10
	MOVQ    R8, R12
	SUBQ    CX, R12
	CMOVQCC R12, R8
	CMOVLCS BX, R10
	SBBL    AX, AX // all bits set for a positive value
	NOTL    AX
	XORL    AX, DX
	SUBL    AX, DX
	NORMALIZE

	XORL    AX, AX
	TESTQ   R14, R14
	SETNE   AX
	MOVQ    step+40(FP), BX
	IMULL   (BX)(AX*4), DX
	MOVQ    $coefficientPlaces<>(SB), BX
	MOVBLZX (BX)(R14*1), AX
	MOVW    DX, (DI)(AX*1)
	INCQ    R14
	JMP     coefficient

large:
	ONE
	MOVBLZX 3(R15), AX
	COMPARE
	JHS     fiveOrMore
	ZERO
	MOVBLZX 4(R15), AX
	COMPARE
	JHS     threeOrFour
	ZERO
	MOVL    $2, DX
	JMP     largeFound

threeOrFour:
	ONE
	MOVBLZX 5(R15), AX
	MOVL    $1, DX
	APPEND
	INCL    DX
	JMP     largeFound

fiveOrMore:
	ONE
	REFILL
	MOVBLZX 6(R15), AX
	COMPARE
	JHS     elevenOrMore
	ZERO
	MOVBLZX 7(R15), AX
	COMPARE
	JHS     sevenToTen
	ZERO
	MOVL    $159, AX
	MOVL    $2, DX
	APPEND
	INCL    DX
	JMP     largeFound

sevenToTen:
	ONE
	MOVL $165, AX
	MOVL $1, DX
	APPEND
	MOVL $145, AX
	APPEND
	ADDL $3, DX
	JMP  largeFound

elevenOrMore:
	ONE
	XORL    DX, DX
	MOVBLZX 8(R15), AX
	APPEND
	MOVBLZX 9(R15)(DX*1), AX
	APPEND
	MOVL    DX, R15 // the range; its first value is 3 + 8<<R15
	LEAQ    (DX)(DX*2), AX
	MOVQ    $·largeValueBits(SB), R11
	LEAQ    (R11)(AX*4), R11
	XORL    DX, DX

extra:
	REFILL
	MOVBLZX (R11), AX
	APPEND
	INCQ    R11
	CMPB    (R11), $0
	JNE     extra
	MOVL    $8, AX
	SHLXL   R15, AX, AX
	LEAL    3(DX)(AX*1), DX

largeFound:
	LEAQ 1(R14), AX
	BAND
	ADDQ $22, R15
	JMP  sign

end:
	ZERO

done:
	MOVQ r+0(FP), AX
	SUBQ boolReader_data(AX), SI
	MOVQ SI, boolReader_at(AX)
	MOVQ R8, boolReader_value(AX)
	MOVQ R9, boolReader_count(AX)
	MOVL R10, boolReader_span(AX)
	MOVQ R14, ret+48(FP)
	RET
