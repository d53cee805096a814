//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// What readBlockBMI2 keeps where:
//
//	R8  the reader's value      SI  where the reader loads next
//	R9  its count               R10 its span
//	R13 the probabilities of all bands, R15 those of the next bit
//	R14 the place of the coefficient in its order, DX its value
//	DI  the block               R11 the probabilities of a range of values
//	AX, BX, CX, R12 what is needed for a moment

// bandPlaces is where the probabilities of a coefficient are: bandOf times 33.
DATA bandPlaces<>+0(SB)/8, $0xC6A584C663422100
DATA bandPlaces<>+8(SB)/8, $0xE7C6C6C6C6C6C6C6
DATA bandPlaces<>+16(SB)/1, $0
GLOBL bandPlaces<>(SB), RODATA|NOPTR, $17

// coefficientPlaces is where it belongs in the block, in bytes: twice zigzag.
DATA coefficientPlaces<>+0(SB)/8, $0x0C06040A10080200
DATA coefficientPlaces<>+8(SB)/8, $0x1E1C160E141A1812
GLOBL coefficientPlaces<>(SB), RODATA|NOPTR, $16

// REFILL makes sure of 56 bits. Seven bits may be read before the next one.
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

// COMPARE finds the split for the probability in AX; the flags say below for a bit that is 0. One of ZERO and ONE must
// follow.
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

// APPEND reads a bit for the probability in AX and puts it below those in DX. It does not branch, for bits that may well
// be either.
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

// BAND finds the probabilities for the coefficient in AX.
#define BAND \
	MOVQ    $bandPlaces<>(SB), R15 \
	MOVBLZX (R15)(AX*1), R15       \
	ADDQ    R13, R15

// func readBlockBMI2(r *boolReader, block *[16]int16, bands *[8][3][11]uint8, before, first int, step *[2]int32) int
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
	MOVQ  before+24(FP), AX
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
	SBBL    AX, AX    // all bits set for plus
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
	MOVL    DX, R15         // the range: what it begins at is 3 and eight times its power of two
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
