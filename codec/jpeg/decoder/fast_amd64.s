//go:build !purego

#include "textflag.h"

// These routines use AVX2. Their arithmetic equals that of the Go twins exactly, since the Go code
// processes the rest of a row and pictures must not depend on the machine.

// PAIR defines a vector of eight pairs of 16-bit factors, low half first. Each pair multiplies two
// rows that lie side by side.
#define PAIR(name, pattern) \
	DATA name<>+0(SB)/8, $pattern  \
	DATA name<>+8(SB)/8, $pattern  \
	DATA name<>+16(SB)/8, $pattern \
	DATA name<>+24(SB)/8, $pattern \
	GLOBL name<>(SB), RODATA|NOPTR, $32

PAIR(sumOf0And4, 0x2000200020002000)        //  8192,   8192
PAIR(differenceOf0And4, 0xE0002000E0002000) //  8192,  -8192
PAIR(even3Of2And6, 0x115129CF115129CF)      // 10703,   4433
PAIR(even2Of2And6, 0xD6301151D6301151)      //  4433, -10704
PAIR(w3OfSums, 0x25A1E6DC25A1E6DC)          // -6436,   9633
PAIR(w4OfSums, 0x192525A1192525A1)          //  9633,   6437
PAIR(odd0Of7And1, 0xE333ECC1E333ECC1)       // -4927,  -7373
PAIR(odd3Of7And1, 0x133EE333133EE333)       // -7373,   4926
PAIR(odd1Of3And5, 0xEFB0ADFDEFB0ADFD)       // -20995, -4176
PAIR(odd2Of3And5, 0xADFD1051ADFD1051)       //   4177, -20995
PAIR(columnRounding, 0x0000040000000400)    // 1 << 10
PAIR(rowRounding, 0x0002000000020000)       // 1 << 17
PAIR(center, 0x8080808080808080)

// pairColumns interleaves the columns of the two halves of a 128-bit lane.
DATA pairColumns<>+0(SB)/8, $0x0B0A030209080100
DATA pairColumns<>+8(SB)/8, $0x0F0E07060D0C0504
DATA pairColumns<>+16(SB)/8, $0x0B0A030209080100
DATA pairColumns<>+24(SB)/8, $0x0F0E07060D0C0504
GLOBL pairColumns<>(SB), RODATA|NOPTR, $32

// turnBytes transposes four columns of four bytes to four rows.
DATA turnBytes<>+0(SB)/8, $0x0D0905010C080400
DATA turnBytes<>+8(SB)/8, $0x0F0B07030E0A0602
DATA turnBytes<>+16(SB)/8, $0x0D0905010C080400
DATA turnBytes<>+24(SB)/8, $0x0F0B07030E0A0602
GLOBL turnBytes<>(SB), RODATA|NOPTR, $32

// TRANSFORM_LINES transforms eight lines at a time, like transformLine.
//
//	Y0 to Y3  in: rows 0 and 4, 2 and 6, 7 and 1, 3 and 5, interleaved 16-bit words
//	Y8 to Y15 out: the eight results, 32-bit words, shifted right by shift
//	Y0 to Y7  temporaries; overwritten
#define TRANSFORM_LINES(rounding, shift) \
	VPMADDWD sumOf0And4<>(SB), Y0, Y4        \
	VPMADDWD differenceOf0And4<>(SB), Y0, Y5 \
	VPMADDWD even3Of2And6<>(SB), Y1, Y6      \
	VPMADDWD even2Of2And6<>(SB), Y1, Y7      \
	VPADDD   rounding<>(SB), Y4, Y4          \
	VPADDD   rounding<>(SB), Y5, Y5          \
	VPADDW   Y2, Y3, Y1                      \
	VPADDD   Y6, Y4, Y8                      \
	VPSUBD   Y6, Y4, Y11                     \
	VPADDD   Y7, Y5, Y9                      \
	VPSUBD   Y7, Y5, Y10                     \
	VPMADDWD w3OfSums<>(SB), Y1, Y4          \
	VPMADDWD w4OfSums<>(SB), Y1, Y5          \
	VPMADDWD odd0Of7And1<>(SB), Y2, Y0       \
	VPMADDWD odd1Of3And5<>(SB), Y3, Y1       \
	VPMADDWD odd3Of7And1<>(SB), Y2, Y7       \
	VPMADDWD odd2Of3And5<>(SB), Y3, Y6       \
	VPADDD   Y4, Y0, Y0                      \
	VPADDD   Y5, Y1, Y1                      \
	VPADDD   Y4, Y6, Y6                      \
	VPADDD   Y5, Y7, Y7                      \
	VPSUBD   Y7, Y8, Y15                     \
	VPADDD   Y7, Y8, Y8                      \
	VPSUBD   Y6, Y9, Y14                     \
	VPADDD   Y6, Y9, Y9                      \
	VPSUBD   Y1, Y10, Y13                    \
	VPADDD   Y1, Y10, Y10                    \
	VPSUBD   Y0, Y11, Y12                    \
	VPADDD   Y0, Y11, Y11                    \
	VPSRAD   $shift, Y8, Y8                  \
	VPSRAD   $shift, Y9, Y9                  \
	VPSRAD   $shift, Y10, Y10                \
	VPSRAD   $shift, Y11, Y11                \
	VPSRAD   $shift, Y12, Y12                \
	VPSRAD   $shift, Y13, Y13                \
	VPSRAD   $shift, Y14, Y14                \
	VPSRAD   $shift, Y15, Y15

// func transformVector(out *uint8, stride int, b *block, q *quantizer)
//
// transformVector dequantizes and transforms one block to 8x8 samples, and zeroes the block. Its Go
// twin is transformBlock8Go.
//
//	DI     out, rows 0 to 3
//	SI     stride
//	DX     b
//	CX     q
//	R8     3*stride
//	R9     out, rows 4 to 7
//	Y0-Y3  coefficients, then the columns' results, then samples
//	Y4-Y7  temporaries
//	Y8-Y15 results of TRANSFORM_LINES
TEXT ·transformVector(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DI
	MOVQ stride+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ q+24(FP), CX

	VMOVDQU (DX), Y0
	VMOVDQU 32(DX), Y1
	VMOVDQU 64(DX), Y2
	VMOVDQU 96(DX), Y3
	VPMULLW (CX), Y0, Y0
	VPMULLW 32(CX), Y1, Y1
	VPMULLW 64(CX), Y2, Y2
	VPMULLW 96(CX), Y3, Y3
	VPXOR   Y4, Y4, Y4
	VMOVDQU Y4, (DX)
	VMOVDQU Y4, 32(DX)
	VMOVDQU Y4, 64(DX)
	VMOVDQU Y4, 96(DX)

	TRANSFORM_LINES(columnRounding, 11)

	// Put rows r and r+4 into the lanes of one register, with columns in pairs.
	VPACKSSDW Y12, Y8, Y8
	VPACKSSDW Y13, Y9, Y9
	VPACKSSDW Y14, Y10, Y10
	VPACKSSDW Y15, Y11, Y11
	VPERMQ    $0xD8, Y8, Y8
	VPERMQ    $0xD8, Y9, Y9
	VPERMQ    $0xD8, Y10, Y10
	VPERMQ    $0xD8, Y11, Y11
	VMOVDQU   pairColumns<>(SB), Y4
	VPSHUFB   Y4, Y8, Y8
	VPSHUFB   Y4, Y9, Y9
	VPSHUFB   Y4, Y10, Y10
	VPSHUFB   Y4, Y11, Y11

	// Interleave the pairs of all rows.
	VPUNPCKLDQ  Y9, Y8, Y4
	VPUNPCKHDQ  Y9, Y8, Y5
	VPUNPCKLDQ  Y11, Y10, Y6
	VPUNPCKHDQ  Y11, Y10, Y7
	VPUNPCKLQDQ Y6, Y4, Y0
	VPUNPCKHQDQ Y6, Y4, Y1
	VPUNPCKLQDQ Y7, Y5, Y2
	VPUNPCKHQDQ Y7, Y5, Y3

	TRANSFORM_LINES(rowRounding, 18)

	VPACKSSDW Y9, Y8, Y8
	VPACKSSDW Y11, Y10, Y10
	VPACKSSDW Y13, Y12, Y12
	VPACKSSDW Y15, Y14, Y14
	VPACKSSWB Y10, Y8, Y8
	VPACKSSWB Y14, Y12, Y12
	VMOVDQU   turnBytes<>(SB), Y4
	VPSHUFB   Y4, Y8, Y8
	VPSHUFB   Y4, Y12, Y12
	VPUNPCKLDQ Y12, Y8, Y0 // rows 0, 1 and 4, 5
	VPUNPCKHDQ Y12, Y8, Y1 // rows 2, 3 and 6, 7
	VPADDB    center<>(SB), Y0, Y0
	VPADDB    center<>(SB), Y1, Y1

	LEAQ   (SI)(SI*2), R8
	LEAQ   (DI)(SI*4), R9
	VMOVQ  X0, (DI)
	VMOVHPS X0, (DI)(SI*1)
	VMOVQ  X1, (DI)(SI*2)
	VMOVHPS X1, (DI)(R8*1)
	VEXTRACTI128 $1, Y0, X0
	VEXTRACTI128 $1, Y1, X1
	VMOVQ  X0, (R9)
	VMOVHPS X0, (R9)(SI*1)
	VMOVQ  X1, (R9)(SI*2)
	VMOVHPS X1, (R9)(R8*1)
	VZEROUPPER
	RET

// BROADCAST fills y with a 64-bit pattern. x is the lower half of y; AX is overwritten.
#define BROADCAST(pattern, x, y) \
	MOVQ         $pattern, AX \
	VMOVQ        AX, x        \
	VPBROADCASTQ x, y

// func rgbVectors(red, green, blue, luma, cb, cr *uint8, n int)
//
// rgbVectors converts n samples from YCbCr to RGB, 16 at a time. Its Go twin is rgbRow8Go. The
// weights are those of rgbRow8Go without their integer parts, which are added separately, so that
// the fractions fit into 16 bits:
//
//	red   = y + v  + ( 26345 v + half) >> 16
//	green = y - v  + (-22554 u + 18734 v + half) >> 16
//	blue  = y + 2u + (-14942 u + half) >> 16
//
// A product is rounded by keeping one more bit of it: (k 2v >> 16 + 1) >> 1.
//
//	R8, R9, R10  red, green, blue
//	SI, BX, DX   luma, cb, cr
//	CX           n, a multiple of 16
//	DI           index of the next sample
//	Y0, Y1, Y2   y, u = cb-128, v = cr-128 as 16-bit words
//	Y3, Y5, Y6   red, blue, green
//	Y4, Y7       temporaries
//	Y9           1
//	Y10          half, 32-bit words
//	Y11          pairs of the weights of v and u in green
//	Y12, Y13     weights of u in blue and of v in red
//	Y14          128
TEXT ·rgbVectors(SB), NOSPLIT, $0-56
	MOVQ red+0(FP), R8
	MOVQ green+8(FP), R9
	MOVQ blue+16(FP), R10
	MOVQ luma+24(FP), SI
	MOVQ cb+32(FP), BX
	MOVQ cr+40(FP), DX
	MOVQ n+48(FP), CX
	BROADCAST(0x0080008000800080, X14, Y14)
	BROADCAST(0x66E966E966E966E9, X13, Y13) // 26345
	BROADCAST(0xC5A2C5A2C5A2C5A2, X12, Y12) // -14942
	BROADCAST(0x492EA7E6492EA7E6, X11, Y11) // 18734, -22554
	BROADCAST(0x0000800000008000, X10, Y10) // half
	BROADCAST(0x0001000100010001, X9, Y9)
	XORQ DI, DI

vector:
	VPMOVZXBW (SI)(DI*1), Y0 // y
	VPMOVZXBW (BX)(DI*1), Y1
	VPMOVZXBW (DX)(DI*1), Y2
	VPSUBW    Y14, Y1, Y1    // u
	VPSUBW    Y14, Y2, Y2    // v

	VPADDW    Y2, Y2, Y3
	VPMULHW   Y13, Y3, Y3
	VPADDW    Y9, Y3, Y3
	VPSRAW    $1, Y3, Y3
	VPADDW    Y2, Y3, Y3
	VPADDW    Y0, Y3, Y3

	VPADDW    Y1, Y1, Y4
	VPMULHW   Y12, Y4, Y5
	VPADDW    Y9, Y5, Y5
	VPSRAW    $1, Y5, Y5
	VPADDW    Y4, Y5, Y5
	VPADDW    Y0, Y5, Y5

	VPUNPCKLWD Y2, Y1, Y6
	VPUNPCKHWD Y2, Y1, Y7
	VPMADDWD  Y11, Y6, Y6
	VPMADDWD  Y11, Y7, Y7
	VPADDD    Y10, Y6, Y6
	VPADDD    Y10, Y7, Y7
	VPSRAD    $16, Y6, Y6
	VPSRAD    $16, Y7, Y7
	VPACKSSDW Y7, Y6, Y6
	VPSUBW    Y2, Y6, Y6
	VPADDW    Y0, Y6, Y6

	VPACKUSWB Y6, Y3, Y3 // red and green in alternating halves
	VPACKUSWB Y5, Y5, Y5
	VPERMQ    $0xD8, Y3, Y3
	VPERMQ    $0xD8, Y5, Y5
	VMOVDQU   X3, (R8)(DI*1)
	VMOVDQU   X5, (R10)(DI*1)
	VEXTRACTI128 $1, Y3, (R9)(DI*1)

	ADDQ $16, DI
	CMPQ DI, CX
	JLT  vector
	VZEROUPPER
	RET

// func sumVectors(sums *uint16, near, far *uint8, n int)
//
// sumVectors computes sums = 3*near + far for n samples, 16 at a time. Its Go twin is sumRowsGo.
//
//	R8      sums
//	SI, BX  near, far
//	CX      n, a multiple of 16
//	DI      index of the next sample
//	Y0, Y1  near and far as 16-bit words; Y1 becomes the sum
TEXT ·sumVectors(SB), NOSPLIT, $0-32
	MOVQ sums+0(FP), R8
	MOVQ near+8(FP), SI
	MOVQ far+16(FP), BX
	MOVQ n+24(FP), CX
	XORQ DI, DI

vector:
	VPMOVZXBW (SI)(DI*1), Y0
	VPMOVZXBW (BX)(DI*1), Y1
	VPADDW    Y0, Y1, Y1
	VPADDW    Y0, Y0, Y0
	VPADDW    Y0, Y1, Y1
	VMOVDQU   Y1, (R8)(DI*2)
	ADDQ      $16, DI
	CMPQ      DI, CX
	JLT       vector
	VZEROUPPER
	RET

// func widenVectors(out *uint8, sums *uint16, n int, left, right uint64)
//
// widenVectors writes two samples between each pair of adjacent sums, 16 pairs at a time. It reads
// n+1 sums and writes 2n samples. Its Go twin is widenBetweenGo.
//
//	R8        out
//	SI        sums
//	CX        n, a multiple of 16
//	DI        index of the next sum
//	Y0, Y1    sums a and b; then 3a+b and 3b+a
//	Y2        a+b
//	Y14, Y13  left and right, the rounding terms
TEXT ·widenVectors(SB), NOSPLIT, $0-40
	MOVQ out+0(FP), R8
	MOVQ sums+8(FP), SI
	MOVQ n+16(FP), CX
	VPBROADCASTQ left+24(FP), Y14
	VPBROADCASTQ right+32(FP), Y13
	XORQ DI, DI

vector:
	VMOVDQU (SI)(DI*2), Y0  // a
	VMOVDQU 2(SI)(DI*2), Y1 // b
	VPADDW  Y1, Y0, Y2      // a + b
	VPADDW  Y0, Y0, Y0
	VPADDW  Y1, Y1, Y1
	VPADDW  Y2, Y0, Y0      // 3a + b
	VPADDW  Y2, Y1, Y1      // 3b + a
	VPADDW  Y14, Y0, Y0
	VPADDW  Y13, Y1, Y1
	VPSRLW  $4, Y0, Y0
	VPSRLW  $4, Y1, Y1
	VPSLLW  $8, Y1, Y1
	VPOR    Y1, Y0, Y0
	VMOVDQU Y0, (R8)(DI*2)
	ADDQ    $16, DI
	CMPQ    DI, CX
	JLT     vector
	VZEROUPPER
	RET
