//go:build !purego

#include "textflag.h"

// These routines use AVX2 and the arithmetic of the Go code. A batch is sixteen columns of two
// rows. Registers of both routines:
//
//	SI, DI    upper, lower
//	R8, R9    upperLuma, lowerLuma
//	R10, R11  u, v
//	CX        remaining batches
//	Y0, Y1    eight pixels of each row, four bytes per pixel
//	Y2-Y7     temporaries
//	Y8, Y9    luma of the upper and the lower row
//	Y10       chroma
//	Y11       black
//	Y12-Y14   toV, toU, toLuma
//	Y15       zero

// Factors of red, green, blue and alpha.
DATA toLuma<>+0(SB)/8, $0x00000C88408820DE
DATA toLuma<>+8(SB)/8, $0x00000C88408820DE
DATA toLuma<>+16(SB)/8, $0x00000C88408820DE
DATA toLuma<>+24(SB)/8, $0x00000C88408820DE
GLOBL toLuma<>(SB), RODATA|NOPTR, $32
DATA toU<>+0(SB)/8, $0x00003838DAC1ED07
DATA toU<>+8(SB)/8, $0x00003838DAC1ED07
DATA toU<>+16(SB)/8, $0x00003838DAC1ED07
DATA toU<>+24(SB)/8, $0x00003838DAC1ED07
GLOBL toU<>(SB), RODATA|NOPTR, $32
DATA toV<>+0(SB)/8, $0x0000F6DBD0ED3838
DATA toV<>+8(SB)/8, $0x0000F6DBD0ED3838
DATA toV<>+16(SB)/8, $0x0000F6DBD0ED3838
DATA toV<>+24(SB)/8, $0x0000F6DBD0ED3838
GLOBL toV<>(SB), RODATA|NOPTR, $32
DATA black<>+0(SB)/8, $0x0008400000084000
DATA black<>+8(SB)/8, $0x0008400000084000
DATA black<>+16(SB)/8, $0x0008400000084000
DATA black<>+24(SB)/8, $0x0008400000084000
GLOBL black<>(SB), RODATA|NOPTR, $32
DATA gray<>+0(SB)/8, $0x0101000001010000
DATA gray<>+8(SB)/8, $0x0101000001010000
DATA gray<>+16(SB)/8, $0x0101000001010000
DATA gray<>+24(SB)/8, $0x0101000001010000
GLOBL gray<>(SB), RODATA|NOPTR, $32

// spread expands four pixels of three bytes from the start of a lane. spreadLast expands those of
// the upper lane from its fifth byte on, so that the load does not exceed the row.
DATA spread<>+0(SB)/8, $0x8005040380020100
DATA spread<>+8(SB)/8, $0x800B0A0980080706
DATA spread<>+16(SB)/8, $0x8005040380020100
DATA spread<>+24(SB)/8, $0x800B0A0980080706
GLOBL spread<>(SB), RODATA|NOPTR, $32
DATA spreadLast<>+0(SB)/8, $0x8005040380020100
DATA spreadLast<>+8(SB)/8, $0x800B0A0980080706
DATA spreadLast<>+16(SB)/8, $0x8009080780060504
DATA spreadLast<>+24(SB)/8, $0x800F0E0D800C0B0A
GLOBL spreadLast<>(SB), RODATA|NOPTR, $32

// SUMS sets L to the luma of the eight pixels in Y0 as 32-bit numbers. It leaves the pixels as
// words in Y2 and Y3.
#define SUMS(L) \
	VPUNPCKLBW Y15, Y0, Y2     \
	VPUNPCKHBW Y15, Y0, Y3     \
	VPMADDWD   Y14, Y2, Y4     \
	VPMADDWD   Y14, Y3, Y5     \
	VPHADDD    Y5, Y4, L       \
	VPADDD     Y11, L, L       \
	VPSRLD     $15, L, L

// EIGHT computes the luma of the eight pixels of each row in Y0 and Y1, and their chroma in C.
#define EIGHT(UPPER, LOWER, C) \
	SUMS(UPPER)                \
	VMOVDQA     Y2, Y6         \
	VMOVDQA     Y3, Y7         \
	VMOVDQA     Y1, Y0         \
	SUMS(LOWER)                \
	VPADDW      Y6, Y2, Y2     \
	VPADDW      Y7, Y3, Y3     \
	VPUNPCKLQDQ Y3, Y2, Y4     \
	VPUNPCKHQDQ Y3, Y2, Y5     \
	VPADDW      Y5, Y4, Y4     \
	VPMADDWD    Y13, Y4, Y5    \
	VPMADDWD    Y12, Y4, Y4    \
	VPHADDD     Y4, Y5, C      \
	VPADDD      gray<>(SB), C, C \
	VPSRAD      $17, C, C

// LUMA writes sixteen luma samples.
#define LUMA(FIRST, SECOND, to) \
	VPACKUSDW    SECOND, FIRST, FIRST \
	VPERMQ       $0xD8, FIRST, Y2     \
	VEXTRACTI128 $1, Y2, X3           \
	VPACKUSWB    X3, X2, X2           \
	VMOVDQU      X2, (to)

// FACTORS loads the constant registers.
#define FACTORS \
	VPXOR   Y15, Y15, Y15       \
	VMOVDQU toLuma<>(SB), Y14   \
	VMOVDQU toU<>(SB), Y13      \
	VMOVDQU toV<>(SB), Y12      \
	VMOVDQU black<>(SB), Y11

// WRITE writes the results of two EIGHTs: upper luma from U1 and U2, lower luma from L1 and L2,
// chroma from C1 and C2.
#define WRITE(U1, L1, C1, U2, L2, C2) \
	LUMA(U1, U2, R8)                   \
	LUMA(L1, L2, R9)                   \
	VPACKSSDW    C2, C1, C1            \
	VPACKUSWB    C1, C1, Y2            \
	VEXTRACTI128 $1, Y2, X3            \
	VPUNPCKLWD   X3, X2, X2            \
	VPSHUFD      $0xD8, X2, X2         \
	VMOVQ        X2, (R10)             \
	VPEXTRQ      $1, X2, (R11)         \
	ADDQ         $16, R8               \
	ADDQ         $16, R9               \
	ADDQ         $8, R10               \
	ADDQ         $8, R11

#define ARGUMENTS \
	MOVQ upper+0(FP), SI       \
	MOVQ lower+8(FP), DI       \
	MOVQ upperLuma+16(FP), R8  \
	MOVQ lowerLuma+24(FP), R9  \
	MOVQ u+32(FP), R10         \
	MOVQ v+40(FP), R11         \
	MOVQ batches+48(FP), CX

// func convertRGBA(upper, lower, upperLuma, lowerLuma, u, v *uint8, batches int)
//
// convertRGBA converts batches of RGBA pixels. Its Go twin is rowPair.convertPairsInGo. The results
// of the first eight columns are saved on the stack.
TEXT ·convertRGBA(SB), NOSPLIT, $96-56
	ARGUMENTS
	FACTORS

nextRGBA:
	VMOVDQU (SI), Y0
	VMOVDQU (DI), Y1
	EIGHT(Y8, Y9, Y10)
	VMOVDQU Y8, first-96(SP)
	VMOVDQU Y9, second-64(SP)
	VMOVDQU Y10, third-32(SP)
	VMOVDQU 32(SI), Y0
	VMOVDQU 32(DI), Y1
	EIGHT(Y8, Y9, Y10)
	VMOVDQU first-96(SP), Y0
	VMOVDQU second-64(SP), Y1
	VMOVDQU third-32(SP), Y7
	WRITE(Y0, Y1, Y7, Y8, Y9, Y10)
	ADDQ    $64, SI
	ADDQ    $64, DI
	DECQ    CX
	JNZ     nextRGBA
	VZEROUPPER
	RET

// SPREAD reads eight pixels of three bytes.
#define SPREAD(first, second, how, X0, Y0) \
	VMOVDQU     first, X0         \
	VINSERTI128 $1, second, Y0, Y0 \
	VPSHUFB     how<>(SB), Y0, Y0

// func convertRGB(upper, lower, upperLuma, lowerLuma, u, v *uint8, batches int)
//
// convertRGB converts batches of RGB pixels. Its Go twin is rowPair.convertPairsInGo. The results
// of the first eight columns are saved on the stack.
TEXT ·convertRGB(SB), NOSPLIT, $96-56
	ARGUMENTS
	FACTORS

nextRGB:
	SPREAD(0(SI), 12(SI), spread, X0, Y0)
	SPREAD(0(DI), 12(DI), spread, X1, Y1)
	EIGHT(Y8, Y9, Y10)
	VMOVDQU Y8, first-96(SP)
	VMOVDQU Y9, second-64(SP)
	VMOVDQU Y10, third-32(SP)
	SPREAD(24(SI), 32(SI), spreadLast, X0, Y0)
	SPREAD(24(DI), 32(DI), spreadLast, X1, Y1)
	EIGHT(Y8, Y9, Y10)
	VMOVDQU first-96(SP), Y0
	VMOVDQU second-64(SP), Y1
	VMOVDQU third-32(SP), Y7
	WRITE(Y0, Y1, Y7, Y8, Y9, Y10)
	ADDQ    $48, SI
	ADDQ    $48, DI
	DECQ    CX
	JNZ     nextRGB
	VZEROUPPER
	RET
