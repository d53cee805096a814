//go:build !purego

#include "textflag.h"

// AVX2, and the very arithmetic of the Go code: sixteen columns of two rows at a time.

// Factors of red, green, blue and opacity.
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

// Four pixels of three bytes from the beginning, and from the fifth byte on.
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

// SUMS makes luma of eight pixels in Y0 of a row, as numbers of 32 bits in L, and leaves words of the pixels in Y2, Y3.
#define SUMS(L) \
	VPUNPCKLBW Y15, Y0, Y2     \
	VPUNPCKHBW Y15, Y0, Y3     \
	VPMADDWD   Y14, Y2, Y4     \
	VPMADDWD   Y14, Y3, Y5     \
	VPHADDD    Y5, Y4, L       \
	VPADDD     Y11, L, L       \
	VPSRLD     $15, L, L

// EIGHT makes luma of eight pixels of two rows, in Y0 and Y1, and chroma in C.
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

// LUMA writes sixteen samples.
#define LUMA(FIRST, SECOND, to) \
	VPACKUSDW    SECOND, FIRST, FIRST \
	VPERMQ       $0xD8, FIRST, Y2     \
	VEXTRACTI128 $1, Y2, X3           \
	VPACKUSWB    X3, X2, X2           \
	VMOVDQU      X2, (to)

// FACTORS loads what stays in registers.
#define FACTORS \
	VPXOR   Y15, Y15, Y15       \
	VMOVDQU toLuma<>(SB), Y14   \
	VMOVDQU toU<>(SB), Y13      \
	VMOVDQU toV<>(SB), Y12      \
	VMOVDQU black<>(SB), Y11

// WRITE writes what EIGHT made twice: luma of the upper row in Y8 and L1, of the lower one in Y9 and L2, chroma in Y10
// and C2.
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
	MOVQ turns+48(FP), CX

// func convertRGBA(upper, lower, upperLuma, lowerLuma, u, v *uint8, turns int)
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

// func convertRGB(upper, lower, upperLuma, lowerLuma, u, v *uint8, turns int)
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
