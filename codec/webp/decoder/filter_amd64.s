//go:build !purego

#include "textflag.h"

// These routines use AVX2 and produce exactly the results of the Go code. Each smooths the sixteen
// lines across an edge, eight in each half. Registers of all routines and macros:
//
//	AX, BX    samples of the first and the second half
//	CX        stride
//	R8        3*stride
//	R9        zero
//	R10       temporary
//	X0 to X7  samples across the edge, from the fourth before it to the fourth after it
//	X8        mask of the lines to smooth
//	X9        mask of the lines that are not rough
//	X13       rough, the variance threshold; later a temporary
//	X14       limit of steps across the edge
//	X15       interior, the limit of steps beside the edge
//	X10-X12   temporaries

#define EVERY_BYTE(name, pattern) \
	DATA name<>+0(SB)/8, $pattern \
	DATA name<>+8(SB)/8, $pattern \
	GLOBL name<>(SB), RODATA|NOPTR, $16

EVERY_BYTE(signs, 0x8080808080808080)
EVERY_BYTE(evenBits, 0xFEFEFEFEFEFEFEFE)
EVERY_BYTE(lowFive, 0x1F1F1F1F1F1F1F1F)
EVERY_BYTE(threes, 0x0303030303030303)
EVERY_BYTE(fours, 0x0404040404040404)
EVERY_BYTE(eights, 0x0808080808080808)
EVERY_BYTE(sixteens, 0x1010101010101010)

#define EVERY_WORD(name, pattern) \
	DATA name<>+0(SB)/8, $pattern  \
	DATA name<>+8(SB)/8, $pattern  \
	DATA name<>+16(SB)/8, $pattern \
	DATA name<>+24(SB)/8, $pattern \
	GLOBL name<>(SB), RODATA|NOPTR, $32

EVERY_WORD(nines, 0x0009000900090009)
EVERY_WORD(rounding, 0x003F003F003F003F)

// pairs interleaves two columns of eight bytes to eight pairs.
DATA pairs<>+0(SB)/8, $0x0B030A0209010800
DATA pairs<>+8(SB)/8, $0x0F070E060D050C04
DATA pairs<>+16(SB)/8, $0x0B030A0209010800
DATA pairs<>+24(SB)/8, $0x0F070E060D050C04
GLOBL pairs<>(SB), RODATA|NOPTR, $32

#define LIMITS \
	VPBROADCASTB limit+24(FP), X14    \
	VPBROADCASTB interior+25(FP), X15 \
	VPBROADCASTB rough+26(FP), X13

#define DISTANCE(a, b, out, spare) \
	VPSUBUSB a, b, out   \
	VPSUBUSB b, a, spare \
	VPOR     spare, out, out

// MASKS computes X8 and X9. It also makes X2 to X5, the samples that may change, signed.
#define MASKS \
	DISTANCE(X2, X3, X9, X11)    \
	DISTANCE(X4, X5, X10, X11)   \
	VPMAXUB  X10, X9, X9         \
	DISTANCE(X0, X1, X8, X11)    \
	VPMAXUB  X9, X8, X8          \
	DISTANCE(X1, X2, X10, X11)   \
	VPMAXUB  X10, X8, X8         \
	DISTANCE(X5, X6, X10, X11)   \
	VPMAXUB  X10, X8, X8         \
	DISTANCE(X6, X7, X10, X11)   \
	VPMAXUB  X10, X8, X8         \
	VPSUBUSB X15, X8, X8         \
	DISTANCE(X3, X4, X10, X11)   \
	VPADDUSB X10, X10, X10       \
	DISTANCE(X2, X5, X11, X12)   \
	VPAND    evenBits<>(SB), X11, X11 \
	VPSRLW   $1, X11, X11        \
	VPADDUSB X11, X10, X10       \
	VPSUBUSB X14, X10, X10       \
	VPOR     X10, X8, X8         \
	VPSUBUSB X13, X9, X9         \
	VPXOR    X12, X12, X12       \
	VPCMPEQB X12, X8, X8         \
	VPCMPEQB X12, X9, X9         \
	VPXOR    signs<>(SB), X2, X2 \
	VPXOR    signs<>(SB), X3, X3 \
	VPXOR    signs<>(SB), X4, X4 \
	VPXOR    signs<>(SB), X5, X5

// EIGHTH divides signed bytes by eight, rounding down. The result has 16 added.
#define EIGHTH(x) \
	VPXOR  signs<>(SB), x, x \
	VPSRLW $3, x, x          \
	VPAND  lowFive<>(SB), x, x

// SMOOTH_NEXT changes the samples next to the edge by the step in X10. X11 becomes the amount
// subtracted from the sample after the edge, plus 16.
#define SMOOTH_NEXT \
	VPADDSB fours<>(SB), X10, X11    \
	VPADDSB threes<>(SB), X10, X10   \
	EIGHTH(X11)                      \
	EIGHTH(X10)                      \
	VPSUBB  sixteens<>(SB), X11, X12 \
	VPSUBB  sixteens<>(SB), X10, X10 \
	VPSUBSB X12, X4, X4              \
	VPADDSB X10, X3, X3

// THRICE adds three times the step across the edge to X10.
#define THRICE \
	VPSUBSB X3, X4, X11   \
	VPADDSB X11, X10, X10 \
	VPADDSB X11, X10, X10 \
	VPADDSB X11, X10, X10

#define RESTORE_SIGNS \
	VPXOR signs<>(SB), X2, X2 \
	VPXOR signs<>(SB), X3, X3 \
	VPXOR signs<>(SB), X4, X4 \
	VPXOR signs<>(SB), X5, X5

// SMOOTH4 filters edges within macroblocks: smooth2 on rough lines, smooth4 on others.
#define SMOOTH4 \
	MASKS                           \
	VPSUBSB X5, X2, X10             \
	VPANDN  X10, X9, X10            \
	THRICE                          \
	VPAND   X8, X10, X10            \
	SMOOTH_NEXT                         \
	VPXOR   X12, X12, X12           \
	VPAVGB  X12, X11, X11           \
	VPSUBB  eights<>(SB), X11, X11  \
	VPAND   X9, X11, X11            \
	VPADDSB X11, X2, X2             \
	VPSUBSB X11, X5, X5             \
	RESTORE_SIGNS

// TAP adds Y10/128, rounded, to one sample and subtracts it from the other. It then adds Y11 to
// Y10.
#define TAP(plus, minus) \
	VPADDW       rounding<>(SB), Y10, Y12 \
	VPSRAW       $7, Y12, Y12             \
	VEXTRACTI128 $1, Y12, X13             \
	VPACKSSWB    X13, X12, X12            \
	VPADDSB      X12, plus, plus          \
	VPSUBSB      X12, minus, minus        \
	VPADDW       Y11, Y10, Y10

// SMOOTH6 filters edges of macroblocks: smooth2 on rough lines, smooth6 on others.
#define SMOOTH6 \
	MASKS                          \
	VPXOR     signs<>(SB), X1, X1  \
	VPXOR     signs<>(SB), X6, X6  \
	VPSUBSB   X5, X2, X10          \
	THRICE                         \
	VPAND     X8, X10, X10         \
	VPAND     X9, X10, X8          \
	VPANDN    X10, X9, X10         \
	SMOOTH_NEXT                        \
	VPMOVSXBW X8, Y11              \
	VPMULLW   nines<>(SB), Y11, Y11 \
	VMOVDQA   Y11, Y10             \
	TAP(X1, X6)                   \
	TAP(X2, X5)                   \
	TAP(X3, X4)                   \
	RESTORE_SIGNS                     \
	VPXOR     signs<>(SB), X1, X1  \
	VPXOR     signs<>(SB), X6, X6

// POINTERS loads AX, BX, CX and R8.
#define POINTERS \
	MOVQ first+0(FP), AX  \
	MOVQ second+8(FP), BX \
	MOVQ stride+16(FP), CX \
	LEAQ (CX)(CX*2), R8

// Horizontal edges: the edge lies above the row at AX.

#define LOAD(row, x) \
	VMOVQ   (AX)(row), x \
	VPINSRQ $1, (BX)(row), x, x

#define SAVE(x, row) \
	VMOVQ   x, (AX)(row) \
	VPEXTRQ $1, x, (BX)(row)

// LOAD_ROWS loads X0 to X7. It leaves AX and BX at the second row before the edge, and zero in R9.
#define LOAD_ROWS \
	POINTERS        \
	LEAQ (CX*4), R9 \
	SUBQ R9, AX     \
	SUBQ R9, BX     \
	XORQ R9, R9     \
	LOAD(R9*1, X0)  \
	LOAD(CX*1, X1)  \
	LOAD(CX*2, X2)  \
	LOAD(R8*1, X3)  \
	LEAQ (AX)(CX*4), AX \
	LEAQ (BX)(CX*4), BX \
	LOAD(R9*1, X4)  \
	LOAD(CX*1, X5)  \
	LOAD(CX*2, X6)  \
	LOAD(R8*1, X7)  \
	LEAQ (CX)(CX*1), R10 \
	SUBQ R10, AX    \
	SUBQ R10, BX

// func smoothRows4(first, second *uint8, stride int, limit, interior, rough uint8)
//
// smoothRows4 filters a horizontal edge within a macroblock. Its Go twin is edge16.smoothRows4InGo.
TEXT ·smoothRows4(SB), NOSPLIT, $0-27
	LIMITS
	LOAD_ROWS
	SMOOTH4
	SAVE(X2, R9*1)
	SAVE(X3, CX*1)
	SAVE(X4, CX*2)
	SAVE(X5, R8*1)
	VZEROUPPER
	RET

// func smoothRows6(first, second *uint8, stride int, limit, interior, rough uint8)
//
// smoothRows6 filters a horizontal edge between macroblocks. Its Go twin is edge16.smoothRows6InGo.
TEXT ·smoothRows6(SB), NOSPLIT, $0-27
	LIMITS
	LOAD_ROWS
	SMOOTH6
	SAVE(X2, R9*1)
	SAVE(X3, CX*1)
	SAVE(X4, CX*2)
	SAVE(X5, R8*1)
	SUBQ CX, AX
	SUBQ CX, BX
	SAVE(X1, R9*1)
	LEAQ (R8)(CX*2), R10
	SAVE(X6, R10*1)
	VZEROUPPER
	RET

// Vertical edges: the edge lies to the left of AX. Eight rows of each half are transposed to eight
// columns, and back.

#define LOAD_LINE(row, x, y, spare) \
	VMOVQ       (AX)(row), x     \
	VMOVQ       (BX)(row), spare \
	VINSERTI128 $1, spare, y, y

#define LOAD_FOUR_LINES(x0, y0, x1, y1, x2, y2, x3, y3) \
	LOAD_LINE(R9*1, x0, y0, X12) \
	LOAD_LINE(CX*1, x1, y1, X12) \
	LOAD_LINE(CX*2, x2, y2, X12) \
	LOAD_LINE(R8*1, x3, y3, X12)

// COLUMNS_OF splits a register with two columns of each half into one register per column.
#define COLUMNS_OF(y, even, odd) \
	VPERMQ       $0xD8, y, y  \
	VEXTRACTI128 $1, y, odd   \
	VMOVDQA      y, even

#define LOAD_COLUMNS \
	POINTERS    \
	XORQ R9, R9 \
	SUBQ $4, AX \
	SUBQ $4, BX \
	LOAD_FOUR_LINES(X0, Y0, X1, Y1, X2, Y2, X3, Y3) \
	LEAQ (AX)(CX*4), AX \
	LEAQ (BX)(CX*4), BX \
	LOAD_FOUR_LINES(X4, Y4, X5, Y5, X6, Y6, X7, Y7) \
	VPUNPCKLBW Y1, Y0, Y0   \
	VPUNPCKLBW Y3, Y2, Y2   \
	VPUNPCKLBW Y5, Y4, Y4   \
	VPUNPCKLBW Y7, Y6, Y6   \
	VPUNPCKLWD Y2, Y0, Y1   \
	VPUNPCKHWD Y2, Y0, Y3   \
	VPUNPCKLWD Y6, Y4, Y5   \
	VPUNPCKHWD Y6, Y4, Y7   \
	VPUNPCKLDQ Y5, Y1, Y8   \
	VPUNPCKHDQ Y5, Y1, Y9   \
	VPUNPCKLDQ Y7, Y3, Y10  \
	VPUNPCKHDQ Y7, Y3, Y11  \
	COLUMNS_OF(Y8, Y0, X1)  \
	COLUMNS_OF(Y9, Y2, X3)  \
	COLUMNS_OF(Y10, Y4, X5) \
	COLUMNS_OF(Y11, Y6, X7)

#define PAIRS_OF(y, odd) \
	VINSERTI128 $1, odd, y, y \
	VPERMQ      $0xD8, y, y   \
	VPSHUFB     pairs<>(SB), y, y

#define SAVE_LINES(y, x, row, nextRow) \
	VMOVQ        x, (AX)(row)         \
	VPEXTRQ      $1, x, (AX)(nextRow) \
	VEXTRACTI128 $1, y, x             \
	VMOVQ        x, (BX)(row)         \
	VPEXTRQ      $1, x, (BX)(nextRow)

// SAVE_COLUMNS writes all lines back. It expects AX and BX at the fifth line, where LOAD_COLUMNS
// leaves them.
#define SAVE_COLUMNS \
	PAIRS_OF(Y0, X1)        \
	PAIRS_OF(Y2, X3)        \
	PAIRS_OF(Y4, X5)        \
	PAIRS_OF(Y6, X7)        \
	VPUNPCKLWD Y2, Y0, Y1   \
	VPUNPCKHWD Y2, Y0, Y3   \
	VPUNPCKLWD Y6, Y4, Y5   \
	VPUNPCKHWD Y6, Y4, Y7   \
	VPUNPCKLDQ Y5, Y1, Y8   \
	VPUNPCKHDQ Y5, Y1, Y9   \
	VPUNPCKLDQ Y7, Y3, Y10  \
	VPUNPCKHDQ Y7, Y3, Y11  \
	SAVE_LINES(Y10, X10, R9*1, CX*1) \
	SAVE_LINES(Y11, X11, CX*2, R8*1) \
	LEAQ (CX*4), R10 \
	SUBQ R10, AX     \
	SUBQ R10, BX     \
	SAVE_LINES(Y8, X8, R9*1, CX*1)   \
	SAVE_LINES(Y9, X9, CX*2, R8*1)

// func smoothColumns4(first, second *uint8, stride int, limit, interior, rough uint8)
//
// smoothColumns4 filters a vertical edge within a macroblock. Its Go twin is
// edge16.smoothColumns4InGo.
TEXT ·smoothColumns4(SB), NOSPLIT, $0-27
	LIMITS
	LOAD_COLUMNS
	SMOOTH4
	SAVE_COLUMNS
	VZEROUPPER
	RET

// func smoothColumns6(first, second *uint8, stride int, limit, interior, rough uint8)
//
// smoothColumns6 filters a vertical edge between macroblocks. Its Go twin is
// edge16.smoothColumns6InGo.
TEXT ·smoothColumns6(SB), NOSPLIT, $0-27
	LIMITS
	LOAD_COLUMNS
	SMOOTH6
	SAVE_COLUMNS
	VZEROUPPER
	RET
