//go:build !purego

#include "textflag.h"

// These routines use AVX2 and the arithmetic of the Go code.

// Shuffle masks that assemble predictions from the weighted means of three samples and from the
// means of two.
DATA fromVertical<>+0(SB)/8, $0x0807060508070605
DATA fromVertical<>+8(SB)/8, $0x0807060508070605
GLOBL fromVertical<>(SB), RODATA|NOPTR, $16
DATA fromHorizontal<>+0(SB)/8, $0x0202020203030303
DATA fromHorizontal<>+8(SB)/8, $0x0000000001010101
GLOBL fromHorizontal<>(SB), RODATA|NOPTR, $16
DATA fromDownRight<>+0(SB)/8, $0x0605040307060504
DATA fromDownRight<>+8(SB)/8, $0x0403020105040302
GLOBL fromDownRight<>(SB), RODATA|NOPTR, $16
DATA fromDownLeft<>+0(SB)/8, $0x0A09080709080706
DATA fromDownLeft<>+8(SB)/8, $0x0C0B0A090B0A0908
GLOBL fromDownLeft<>(SB), RODATA|NOPTR, $16
DATA threeOfVerticalRight<>+0(SB)/8, $0x0706050480808080
DATA threeOfVerticalRight<>+8(SB)/8, $0x0605040280808003
GLOBL threeOfVerticalRight<>(SB), RODATA|NOPTR, $16
DATA twoOfVerticalRight<>+0(SB)/8, $0x8080808008070605
DATA twoOfVerticalRight<>+8(SB)/8, $0x8080808007060580
GLOBL twoOfVerticalRight<>(SB), RODATA|NOPTR, $16
DATA threeOfVerticalLeft<>+0(SB)/8, $0x0908070680808080
DATA threeOfVerticalLeft<>+8(SB)/8, $0x0B0908070A808080
GLOBL threeOfVerticalLeft<>(SB), RODATA|NOPTR, $16
DATA twoOfVerticalLeft<>+0(SB)/8, $0x8080808009080706
DATA twoOfVerticalLeft<>+8(SB)/8, $0x8080808080090807
GLOBL twoOfVerticalLeft<>(SB), RODATA|NOPTR, $16
DATA threeOfHorizontalDown<>+0(SB)/8, $0x0480038006050480
DATA threeOfHorizontalDown<>+8(SB)/8, $0x0280018003800280
GLOBL threeOfHorizontalDown<>(SB), RODATA|NOPTR, $16
DATA twoOfHorizontalDown<>+0(SB)/8, $0x8004800380808004
DATA twoOfHorizontalDown<>+8(SB)/8, $0x8002800180038002
GLOBL twoOfHorizontalDown<>(SB), RODATA|NOPTR, $16
DATA threeOfHorizontalUp<>+0(SB)/8, $0x0080018001800280
DATA threeOfHorizontalUp<>+8(SB)/8, $0x8080808080800080
GLOBL threeOfHorizontalUp<>(SB), RODATA|NOPTR, $16
DATA twoOfHorizontalUp<>+0(SB)/8, $0x8001800280028003
DATA twoOfHorizontalUp<>+8(SB)/8, $0x0000000000008001
GLOBL twoOfHorizontalUp<>(SB), RODATA|NOPTR, $16

// Shuffle masks that expand samples to words for the TrueMotion mode.
DATA aboveWords<>+0(SB)/8, $0x8009800880078006
DATA aboveWords<>+8(SB)/8, $0x8009800880078006
DATA aboveWords<>+16(SB)/8, $0x8009800880078006
DATA aboveWords<>+24(SB)/8, $0x8009800880078006
GLOBL aboveWords<>(SB), RODATA|NOPTR, $32
DATA leftWords<>+0(SB)/8, $0x8004800480048004
DATA leftWords<>+8(SB)/8, $0x8003800380038003
DATA leftWords<>+16(SB)/8, $0x8002800280028002
DATA leftWords<>+24(SB)/8, $0x8001800180018001
GLOBL leftWords<>(SB), RODATA|NOPTR, $32
DATA cornerWords<>+0(SB)/8, $0x8005800580058005
DATA cornerWords<>+8(SB)/8, $0x8005800580058005
DATA cornerWords<>+16(SB)/8, $0x8005800580058005
DATA cornerWords<>+24(SB)/8, $0x8005800580058005
GLOBL cornerWords<>(SB), RODATA|NOPTR, $32

// around8 selects the eight samples whose mean is the DC prediction.
DATA around8<>+0(SB)/8, $0xFFFF00FFFFFFFF00
DATA around8<>+8(SB)/8, $0x000000000000FFFF
GLOBL around8<>(SB), RODATA|NOPTR, $16
DATA ones<>+0(SB)/8, $0x0101010101010101
DATA ones<>+8(SB)/8, $0x0101010101010101
GLOBL ones<>(SB), RODATA|NOPTR, $16

// numbers lists the mode numbers.
DATA numbers<>+0(SB)/8, $0x0000000100000000
DATA numbers<>+8(SB)/8, $0x0000000300000002
DATA numbers<>+16(SB)/8, $0x0000000500000004
DATA numbers<>+24(SB)/8, $0x0000000700000006
DATA numbers<>+32(SB)/8, $0x0000000900000008
DATA numbers<>+40(SB)/8, $0x0000000B0000000A
GLOBL numbers<>(SB), RODATA|NOPTR, $48
DATA four<>+0(SB)/8, $0x0000000000000004
DATA four<>+8(SB)/8, $0x0000000000000000
GLOBL four<>(SB), RODATA|NOPTR, $16

// Signs of the Hadamard transform. pairSigns combines adjacent samples to sums in one half and
// differences in the other. The other two combine rows.
DATA pairSigns<>+0(SB)/8, $0x0101010101010101
DATA pairSigns<>+8(SB)/8, $0x0101010101010101
DATA pairSigns<>+16(SB)/8, $0xFF01FF01FF01FF01
DATA pairSigns<>+24(SB)/8, $0xFF01FF01FF01FF01
GLOBL pairSigns<>(SB), RODATA|NOPTR, $32
DATA firstSigns<>+0(SB)/8, $0x0001000100010001
DATA firstSigns<>+8(SB)/8, $0xFFFFFFFFFFFFFFFF
DATA firstSigns<>+16(SB)/8, $0x0001000100010001
DATA firstSigns<>+24(SB)/8, $0xFFFFFFFFFFFFFFFF
GLOBL firstSigns<>(SB), RODATA|NOPTR, $32
DATA secondSigns<>+0(SB)/8, $0xFFFFFFFF00010001
DATA secondSigns<>+8(SB)/8, $0xFFFFFFFF00010001
DATA secondSigns<>+16(SB)/8, $0xFFFFFFFF00010001
DATA secondSigns<>+24(SB)/8, $0xFFFFFFFF00010001
GLOBL secondSigns<>(SB), RODATA|NOPTR, $32
DATA lowWords<>+0(SB)/8, $0x0000FFFF0000FFFF
DATA lowWords<>+8(SB)/8, $0x0000FFFF0000FFFF
DATA lowWords<>+16(SB)/8, $0x0000FFFF0000FFFF
DATA lowWords<>+24(SB)/8, $0x0000FFFF0000FFFF
GLOBL lowWords<>(SB), RODATA|NOPTR, $32

// EFFORT stores the prediction in X and sets Y, the same register, to its effort as eight partial
// sums. It skips the last step of the transform, like acrossRow. It overwrites Y15.
#define EFFORT(mode, X, Y) \
	VMOVDQU     X, (mode*16)(DI)       \
	VINSERTI128 $1, X, Y, Y            \
	VPMADDUBSW  pairSigns<>(SB), Y, Y  \
	VPSUBW      Y, Y5, Y               \
	VPSHUFD     $0x4E, Y, Y15          \
	VPSIGNW     Y6, Y, Y               \
	VPADDW      Y15, Y, Y              \
	VPSHUFD     $0xB1, Y, Y15          \
	VPSIGNW     Y7, Y, Y               \
	VPADDW      Y15, Y, Y              \
	VPABSW      Y, Y                   \
	VPSRLD      $16, Y, Y15            \
	VPMAXSW     Y15, Y, Y              \
	VPAND       Y14, Y, Y

// MIX assembles a prediction from means of three samples and of two.
#define MIX(three, two, X) \
	VPSHUFB three<>(SB), X4, X  \
	VPSHUFB two<>(SB), X3, X15  \
	VPOR    X15, X, X

// KEYS combines the partial sums of four modes to keys: efforts, shifted left by four bits, plus
// mode numbers.
#define KEYS(first, Y0, X0, Y1, X1, Y2, Y3) \
	VPHADDD      Y1, Y0, Y0                   \
	VPHADDD      Y3, Y2, Y2                   \
	VPHADDD      Y2, Y0, Y0                   \
	VEXTRACTI128 $1, Y0, X1                   \
	VPADDD       X1, X0, X0                   \
	VPADDD       (first*4)(R8), X0, X0        \
	VPSLLD       $4, X0, X0                   \
	VPOR         numbers<>+(first*4)(SB), X0, X0

// func chooseVector(e *edges, to *predictions, src *uint8, stride int, modeEfforts *[16]int32) (key
// uint32)
//
// chooseVector predicts a subblock in all modes and returns the key of the best. Its Go twin is
// edges.chooseInGo.
//
//	SI       e
//	DI       to
//	DX       src
//	CX, R9   stride, 3*stride
//	R8       modeEfforts
//	Y0-Y2    edge samples at offsets 0, 1, 2
//	X3, X4   means of two and of three samples
//	Y5       Hadamard sums and differences of adjacent source samples
//	Y6, Y7   firstSigns, secondSigns
//	Y8       keys of modes 0 to 3, then the minimum
//	Y9-Y12   predictions, partial sums, and keys
//	Y14      lowWords
//	Y15      temporary
TEXT ·chooseVector(SB), NOSPLIT, $0-44
	MOVQ e+0(FP), SI
	MOVQ to+8(FP), DI
	MOVQ src+16(FP), DX
	MOVQ stride+24(FP), CX
	MOVQ modeEfforts+32(FP), R8
	LEAQ (CX)(CX*2), R9

	VMOVD     (DX), X5
	VPINSRD   $1, (DX)(CX*1), X5, X5
	VPINSRD   $2, (DX)(CX*2), X5, X5
	VPINSRD   $3, (DX)(R9*1), X5, X5
	VINSERTI128 $1, X5, Y5, Y5
	VPMADDUBSW pairSigns<>(SB), Y5, Y5
	VMOVDQU firstSigns<>(SB), Y6
	VMOVDQU secondSigns<>(SB), Y7
	VMOVDQU lowWords<>(SB), Y14

	// Compute the means of two and of three samples.
	VBROADCASTI128 (SI), Y0
	VPSRLDQ        $1, X0, X1
	VPSRLDQ        $2, X0, X2
	VPAVGB         X1, X0, X3
	VPAVGB         X2, X0, X4
	VPXOR          X2, X0, X2
	VPAND          ones<>(SB), X2, X2
	VPSUBB         X2, X4, X4
	VPAVGB         X1, X4, X4

	// Predict the modes DC, TrueMotion, vertical and horizontal.
	VPXOR          X15, X15, X15
	VPAND          around8<>(SB), X0, X8
	VPSADBW        X15, X8, X8
	VPSHUFD        $0xEE, X8, X9
	VPADDD         X9, X8, X8
	VPADDD         four<>(SB), X8, X8
	VPSRLD         $3, X8, X8
	VPBROADCASTB   X8, X8
	EFFORT(0, X8, Y8)
	VPSHUFB        aboveWords<>(SB), Y0, Y9
	VPSHUFB        leftWords<>(SB), Y0, Y10
	VPSHUFB        cornerWords<>(SB), Y0, Y11
	VPADDW         Y10, Y9, Y9
	VPSUBW         Y11, Y9, Y9
	VEXTRACTI128   $1, Y9, X10
	VPACKUSWB      X10, X9, X9
	EFFORT(1, X9, Y9)
	VPSHUFB        fromVertical<>(SB), X4, X10
	EFFORT(2, X10, Y10)
	VPSHUFB        fromHorizontal<>(SB), X4, X11
	EFFORT(3, X11, Y11)
	KEYS(0, Y8, X8, Y9, X9, Y10, Y11)

	VPSHUFB fromDownRight<>(SB), X4, X9
	EFFORT(4, X9, Y9)
	MIX(threeOfVerticalRight, twoOfVerticalRight, X10)
	EFFORT(5, X10, Y10)
	VPSHUFB fromDownLeft<>(SB), X4, X11
	EFFORT(6, X11, Y11)
	MIX(threeOfVerticalLeft, twoOfVerticalLeft, X12)
	EFFORT(7, X12, Y12)
	KEYS(4, Y9, X9, Y10, X10, Y11, Y12)

	MIX(threeOfHorizontalDown, twoOfHorizontalDown, X10)
	EFFORT(8, X10, Y10)
	MIX(threeOfHorizontalUp, twoOfHorizontalUp, X11)
	EFFORT(9, X11, Y11)
	KEYS(8, Y10, X10, Y11, X11, Y12, Y12) // the last two entries are invalid modes

	VPMINUD X9, X8, X8
	VPMINUD X10, X8, X8
	VPSHUFD $0xEE, X8, X9
	VPMINUD X9, X8, X8
	VPSHUFD $0x55, X8, X9
	VPMINUD X9, X8, X8
	VMOVD   X8, AX
	MOVL    AX, key+40(FP)
	VZEROUPPER
	RET

// PAIRS reads a row of sixteen differences: sums of adjacent ones in one half, their differences in
// the other.
#define PAIRS(A, B, Y) \
	VBROADCASTI128 A, Y                   \
	VBROADCASTI128 B, Y4                  \
	VPMADDUBSW     pairSigns<>(SB), Y, Y  \
	VPMADDUBSW     pairSigns<>(SB), Y4, Y4 \
	VPSUBW         Y4, Y, Y

// LARGER adds the larger absolute value of each pair of words to Y13.
#define LARGER(Y) \
	VPABSW  Y, Y       \
	VPSRLD  $16, Y, Y4 \
	VPMAXSW Y4, Y, Y   \
	VPAND   Y14, Y, Y  \
	VPADDD  Y, Y13, Y13

// func effort16Vector(a, b *uint8, stride int) (sum int32)
//
// effort16Vector returns the sum of the efforts of sixteen blocks. Its Go twin is effort16InGo.
//
//	SI, DI   a, b
//	CX, R10  stride, 3*stride
//	AX       remaining groups of four rows
//	Y0-Y3    rows, then transformed rows
//	Y4-Y8    temporaries
//	Y13      partial sums
//	Y14      lowWords
TEXT ·effort16Vector(SB), NOSPLIT, $0-28
	MOVQ    a+0(FP), SI
	MOVQ    b+8(FP), DI
	MOVQ    stride+16(FP), CX
	LEAQ    (CX)(CX*2), R10
	MOVL    $4, AX
	VPXOR   Y13, Y13, Y13
	VMOVDQU lowWords<>(SB), Y14

rows:
	PAIRS((SI), (DI), Y0)
	PAIRS((SI)(CX*1), (DI)(CX*1), Y1)
	PAIRS((SI)(CX*2), (DI)(CX*2), Y2)
	PAIRS((SI)(R10*1), (DI)(R10*1), Y3)
	LEAQ   (SI)(CX*4), SI
	LEAQ   (DI)(CX*4), DI
	VPADDW Y2, Y0, Y5
	VPSUBW Y2, Y0, Y6
	VPADDW Y3, Y1, Y7
	VPSUBW Y3, Y1, Y8
	VPADDW Y7, Y5, Y0
	VPSUBW Y7, Y5, Y1
	VPADDW Y8, Y6, Y2
	VPSUBW Y8, Y6, Y3
	LARGER(Y0)
	LARGER(Y1)
	LARGER(Y2)
	LARGER(Y3)
	DECL   AX
	JNZ    rows

	VEXTRACTI128 $1, Y13, X0
	VPADDD       X13, X0, X0
	VPSHUFD      $0xEE, X0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0x55, X0, X1
	VPADDD       X1, X0, X0
	VMOVD        X0, AX
	MOVL         AX, sum+24(FP)
	VZEROUPPER
	RET
