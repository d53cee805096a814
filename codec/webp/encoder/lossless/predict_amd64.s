//go:build !purego

#include "textflag.h"

// These routines use AVX2 and produce exactly the results of the Go code. They process eight pixels
// at a time. Registers of all macros:
//
//	Y0      pixels
//	Y1      pixels to the left
//	Y2      pixels above
//	Y3      pixels above left
//	Y4      pixels above right
//	Y7      prediction
//	Y5, Y6  temporaries

#define EVERY_BYTE(name, pattern) \
	DATA name<>+0(SB)/8, $pattern  \
	DATA name<>+8(SB)/8, $pattern  \
	DATA name<>+16(SB)/8, $pattern \
	DATA name<>+24(SB)/8, $pattern \
	GLOBL name<>(SB), RODATA|NOPTR, $32

EVERY_BYTE(zeros, 0)
EVERY_BYTE(ones, 0x0101010101010101)
EVERY_BYTE(wordOnes, 0x0001000100010001)
EVERY_BYTE(lowBits, 0x0f0f0f0f0f0f0f0f)
EVERY_BYTE(aboveSixteen, 0x7070707070707070)

#define LOAD(row, above) \
	VMOVDQU 0(row), Y0    \
	VMOVDQU -4(row), Y1   \
	VMOVDQU 0(above), Y2  \
	VMOVDQU -4(above), Y3 \
	VMOVDQU 4(above), Y4

// AVERAGE computes averages rounded down. VPAVGB rounds up, so spare corrects it.
#define AVERAGE(a, b, out, spare) \
	VPXOR  a, b, spare             \
	VPAND  ones<>(SB), spare, spare \
	VPAVGB a, b, out               \
	VPSUBB spare, out, out

#define JUST_ABOVE VMOVDQA Y2, Y7

#define LEFT_ABOVE AVERAGE(Y1, Y2, Y7, Y5)

#define ALL_AROUND \
	AVERAGE(Y1, Y3, Y7, Y5) \
	AVERAGE(Y2, Y4, Y6, Y5) \
	AVERAGE(Y6, Y7, Y7, Y5)

#define DISTANCE(a, b, out, spare) \
	VPSUBUSB   a, b, out   \
	VPSUBUSB   b, a, spare \
	VPOR       spare, out, out \
	VPMADDUBSW ones<>(SB), out, out \
	VPMADDWD   wordOnes<>(SB), out, out

#define SELECT \
	DISTANCE(Y2, Y3, Y5, Y7) \
	DISTANCE(Y1, Y3, Y6, Y7) \
	VPCMPGTD  Y5, Y6, Y6     \
	VPBLENDVB Y6, Y1, Y2, Y7

// GRADIENT predicts left + above - aboveLeft, clamped. It adds the amount by which above exceeds
// aboveLeft and subtracts the amount by which it falls short; one of them is 0.
#define GRADIENT \
	VPSUBUSB Y3, Y2, Y5 \
	VPSUBUSB Y2, Y3, Y6 \
	VPADDUSB Y5, Y1, Y7 \
	VPSUBUSB Y6, Y7, Y7

#define DIFFERENCES(name, prediction) \
TEXT name(SB), NOSPLIT, $0-32 \
	MOVQ to+0(FP), AX                \
	MOVQ row+8(FP), BX               \
	MOVQ above+16(FP), CX            \
	MOVQ vectors+24(FP), DX          \
next:                               \
	LOAD(BX, CX)                     \
	prediction                       \
	VPSUBB  Y7, Y0, Y0  \
	VMOVDQU Y0, 0(AX)                \
	ADDQ    $32, AX                  \
	ADDQ    $32, BX                  \
	ADDQ    $32, CX                  \
	DECQ    DX                       \
	JNZ     next                     \
	VZEROUPPER                       \
	RET

// func vectorsAbove(to, row, above *pixel, vectors int)
//
// The routines that DIFFERENCES defines write the differences of vectors of eight pixels from a
// prediction. Their Go twin is differencesInGo with the mode of the same name.
//
//	AX      to
//	BX      row
//	CX      above
//	DX      remaining vectors
//	Y0-Y7   see the top of the file
DIFFERENCES(·vectorsAbove, JUST_ABOVE)

// func vectorsLeftAbove(to, row, above *pixel, vectors int)
DIFFERENCES(·vectorsLeftAbove, LEFT_ABOVE)

// func vectorsAllAround(to, row, above *pixel, vectors int)
DIFFERENCES(·vectorsAllAround, ALL_AROUND)

// func vectorsSelect(to, row, above *pixel, vectors int)
DIFFERENCES(·vectorsSelect, SELECT)

// func vectorsGradient(to, row, above *pixel, vectors int)
DIFFERENCES(·vectorsGradient, GRADIENT)

// func vectorsLeft(to, row *pixel, vectors int)
//
// vectorsLeft writes the differences from the left neighbors. Its Go twin is differencesInGo with
// modeLeft.
//
//	AX   to
//	BX   row
//	DX   remaining vectors
//	Y0   pixels, then differences
TEXT ·vectorsLeft(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), AX
	MOVQ row+8(FP), BX
	MOVQ vectors+16(FP), DX

next:
	VMOVDQU 0(BX), Y0
	VPSUBB  -4(BX), Y0, Y0
	VMOVDQU Y0, 0(AX)
	ADDQ    $32, AX
	ADDQ    $32, BX
	DECQ    DX
	JNZ     next
	VZEROUPPER
	RET

// COST adds the costs of the differences between Y0 and a prediction to four partial sums. Y8 holds
// the costs of magnitudes below 16, and Y9 those of larger ones. It overwrites Y5 and Y6.
#define COST(predicted, sum) \
	VPSUBB   predicted, Y0, Y5 \
	VPABSB   Y5, Y5            \
	VPADDUSB aboveSixteen<>(SB), Y5, Y6 \
	VPSHUFB  Y6, Y8, Y6        \
	VPSRLW   $4, Y5, Y5        \
	VPAND    lowBits<>(SB), Y5, Y5 \
	VPSHUFB  Y5, Y9, Y5        \
	VPOR     Y5, Y6, Y6        \
	VPSADBW  zeros<>(SB), Y6, Y6 \
	VPADDQ   Y6, sum, sum

// func vectorCosts(sums *[6][4]uint64, pixels *pixel, rowBytes, vectors, rows int, roughBits
// *[2][16]uint8)
//
// vectorCosts sums the costs of the candidate modes over an area. Its Go twin is addCostsInGo.
//
//	AX       sums
//	BX       first pixel of the row
//	SI, DI   current pixel, and the one above
//	R8       rowBytes
//	R9       vectors per row
//	R10      remaining rows
//	R11      roughBits
//	DX       remaining vectors of the row
//	Y0-Y7    see the top of the file
//	Y8, Y9   the two rows of roughBits
//	Y10-Y15  sums of the six candidates
TEXT ·vectorCosts(SB), NOSPLIT, $0-48
	MOVQ sums+0(FP), AX
	MOVQ pixels+8(FP), BX
	MOVQ rowBytes+16(FP), R8
	MOVQ vectors+24(FP), R9
	MOVQ rows+32(FP), R10
	MOVQ roughBits+40(FP), R11
	VBROADCASTI128 0(R11), Y8
	VBROADCASTI128 16(R11), Y9
	VPXOR Y10, Y10, Y10
	VPXOR Y11, Y11, Y11
	VPXOR Y12, Y12, Y12
	VPXOR Y13, Y13, Y13
	VPXOR Y14, Y14, Y14
	VPXOR Y15, Y15, Y15

nextRow:
	MOVQ BX, SI
	MOVQ BX, DI
	SUBQ R8, DI
	MOVQ R9, DX

next:
	LOAD(SI, DI)
	COST(Y1, Y10)
	COST(Y2, Y11)
	LEFT_ABOVE
	COST(Y7, Y12)
	ALL_AROUND
	COST(Y7, Y13)
	SELECT
	COST(Y7, Y14)
	GRADIENT
	COST(Y7, Y15)
	ADDQ $32, SI
	ADDQ $32, DI
	DECQ DX
	JNZ  next
	ADDQ R8, BX
	DECQ R10
	JNZ  nextRow
	VMOVDQU Y10, 0(AX)
	VMOVDQU Y11, 32(AX)
	VMOVDQU Y12, 64(AX)
	VMOVDQU Y13, 96(AX)
	VMOVDQU Y14, 128(AX)
	VMOVDQU Y15, 160(AX)
	VZEROUPPER
	RET
