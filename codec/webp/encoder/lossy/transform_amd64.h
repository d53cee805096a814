// Macros for 4x4 transforms. A block is held in two registers of 16-bit words: its first two rows
// and its last two. 32-byte registers hold two adjacent blocks, one in each half. T0 to T3 are
// temporaries.

// Sums and differences of pairs of words, and the factors of both passes.
DATA manyPlus<>+0(SB)/8, $0x1000100010001000
DATA manyPlus<>+8(SB)/8, $0x1000100010001000
DATA manyPlus<>+16(SB)/8, $0x1000100010001000
DATA manyPlus<>+24(SB)/8, $0x1000100010001000
GLOBL manyPlus<>(SB), RODATA|NOPTR, $32
DATA manyMinus<>+0(SB)/8, $0xF0001000F0001000
DATA manyMinus<>+8(SB)/8, $0xF0001000F0001000
DATA manyMinus<>+16(SB)/8, $0xF0001000F0001000
DATA manyMinus<>+24(SB)/8, $0xF0001000F0001000
GLOBL manyMinus<>(SB), RODATA|NOPTR, $32
DATA plus<>+0(SB)/8, $0x0001000100010001
DATA plus<>+8(SB)/8, $0x0001000100010001
DATA plus<>+16(SB)/8, $0x0001000100010001
DATA plus<>+24(SB)/8, $0x0001000100010001
GLOBL plus<>(SB), RODATA|NOPTR, $32
DATA minus<>+0(SB)/8, $0xFFFF0001FFFF0001
DATA minus<>+8(SB)/8, $0xFFFF0001FFFF0001
DATA minus<>+16(SB)/8, $0xFFFF0001FFFF0001
DATA minus<>+24(SB)/8, $0xFFFF0001FFFF0001
GLOBL minus<>(SB), RODATA|NOPTR, $32
DATA cosineSine<>+0(SB)/8, $0x08A914E808A914E8
DATA cosineSine<>+8(SB)/8, $0x08A914E808A914E8
DATA cosineSine<>+16(SB)/8, $0x08A914E808A914E8
DATA cosineSine<>+24(SB)/8, $0x08A914E808A914E8
GLOBL cosineSine<>(SB), RODATA|NOPTR, $32
DATA sineCosine<>+0(SB)/8, $0xEB1808A9EB1808A9
DATA sineCosine<>+8(SB)/8, $0xEB1808A9EB1808A9
DATA sineCosine<>+16(SB)/8, $0xEB1808A9EB1808A9
DATA sineCosine<>+24(SB)/8, $0xEB1808A9EB1808A9
GLOBL sineCosine<>(SB), RODATA|NOPTR, $32

// Rounding terms for shifts by 9, 4 and 16 bits.
DATA half9<>+0(SB)/8, $0x0000010000000100
DATA half9<>+8(SB)/8, $0x0000010000000100
DATA half9<>+16(SB)/8, $0x0000010000000100
DATA half9<>+24(SB)/8, $0x0000010000000100
GLOBL half9<>(SB), RODATA|NOPTR, $32
DATA half4<>+0(SB)/8, $0x0000000800000008
DATA half4<>+8(SB)/8, $0x0000000800000008
DATA half4<>+16(SB)/8, $0x0000000800000008
DATA half4<>+24(SB)/8, $0x0000000800000008
GLOBL half4<>(SB), RODATA|NOPTR, $32
DATA half16<>+0(SB)/8, $0x0000800000008000
DATA half16<>+8(SB)/8, $0x0000800000008000
DATA half16<>+16(SB)/8, $0x0000800000008000
DATA half16<>+24(SB)/8, $0x0000800000008000
GLOBL half16<>(SB), RODATA|NOPTR, $32

// Factors of the inverse transform. The sine has 2^16 subtracted, so its operand must be added to
// the product.
DATA inverseCosine<>+0(SB)/8, $0x4E7B4E7B4E7B4E7B
DATA inverseCosine<>+8(SB)/8, $0x4E7B4E7B4E7B4E7B
DATA inverseCosine<>+16(SB)/8, $0x4E7B4E7B4E7B4E7B
DATA inverseCosine<>+24(SB)/8, $0x4E7B4E7B4E7B4E7B
GLOBL inverseCosine<>(SB), RODATA|NOPTR, $32
DATA inverseSine<>+0(SB)/8, $0x8A8C8A8C8A8C8A8C
DATA inverseSine<>+8(SB)/8, $0x8A8C8A8C8A8C8A8C
DATA inverseSine<>+16(SB)/8, $0x8A8C8A8C8A8C8A8C
DATA inverseSine<>+24(SB)/8, $0x8A8C8A8C8A8C8A8C
GLOBL inverseSine<>(SB), RODATA|NOPTR, $32

// Rounding term for the first column.
DATA firstFour<>+0(SB)/8, $0x0004000400040004
DATA firstFour<>+8(SB)/8, $0x0000000000000000
DATA firstFour<>+16(SB)/8, $0x0004000400040004
DATA firstFour<>+24(SB)/8, $0x0000000000000000
GLOBL firstFour<>(SB), RODATA|NOPTR, $32
DATA maxLevel<>+0(SB)/8, $0x07FF07FF07FF07FF
DATA maxLevel<>+8(SB)/8, $0x07FF07FF07FF07FF
DATA maxLevel<>+16(SB)/8, $0x07FF07FF07FF07FF
DATA maxLevel<>+24(SB)/8, $0x07FF07FF07FF07FF
GLOBL maxLevel<>(SB), RODATA|NOPTR, $32

// Shuffle masks from row-major to zigzag order.
DATA zigzagLowOfLow<>+0(SB)/8, $0x8080090803020100
DATA zigzagLowOfLow<>+8(SB)/8, $0x0D0C070605040B0A
DATA zigzagLowOfLow<>+16(SB)/8, $0x8080090803020100
DATA zigzagLowOfLow<>+24(SB)/8, $0x0D0C070605040B0A
GLOBL zigzagLowOfLow<>(SB), RODATA|NOPTR, $32
DATA zigzagLowOfHigh<>+0(SB)/8, $0x0100808080808080
DATA zigzagLowOfHigh<>+8(SB)/8, $0x8080808080808080
DATA zigzagLowOfHigh<>+16(SB)/8, $0x0100808080808080
DATA zigzagLowOfHigh<>+24(SB)/8, $0x8080808080808080
GLOBL zigzagLowOfHigh<>(SB), RODATA|NOPTR, $32
DATA zigzagHighOfLow<>+0(SB)/8, $0x8080808080808080
DATA zigzagHighOfLow<>+8(SB)/8, $0x8080808080800F0E
DATA zigzagHighOfLow<>+16(SB)/8, $0x8080808080808080
DATA zigzagHighOfLow<>+24(SB)/8, $0x8080808080800F0E
GLOBL zigzagHighOfLow<>(SB), RODATA|NOPTR, $32
DATA zigzagHighOfHigh<>+0(SB)/8, $0x05040B0A09080302
DATA zigzagHighOfHigh<>+8(SB)/8, $0x0F0E0D0C07068080
DATA zigzagHighOfHigh<>+16(SB)/8, $0x05040B0A09080302
DATA zigzagHighOfHigh<>+24(SB)/8, $0x0F0E0D0C07068080
GLOBL zigzagHighOfHigh<>(SB), RODATA|NOPTR, $32

// BUTTERFLY transforms rows 0 and 1 in R0 and 2 and 3 in R1 to the outputs 0 and 2 in R0 and 1 and
// 3 in R1.
#define BUTTERFLY(R0, R1, T0, T1, sum, difference, halfOfEven, evenShift, halfOfOdd, oddShift) \
	VPSHUFD    $0x4E, R1, R1               \
	VPADDW     R1, R0, T0                  \
	VPSUBW     R1, R0, T1                  \
	VPSHUFD    $0x4E, T0, R0               \
	VPUNPCKLWD R0, T0, T0                  \
	VPSHUFD    $0x4E, T1, R0               \
	VPUNPCKLWD R0, T1, T1                  \
	VPMADDWD   difference<>(SB), T0, R1    \
	VPMADDWD   sum<>(SB), T0, R0           \
	VPADDD     halfOfEven<>(SB), R0, R0    \
	VPADDD     halfOfEven<>(SB), R1, R1    \
	VPSRAD     $evenShift, R0, R0          \
	VPSRAD     $evenShift, R1, R1          \
	VPACKSSDW  R1, R0, R0                  \
	VPMADDWD   sineCosine<>(SB), T1, T0    \
	VPMADDWD   cosineSine<>(SB), T1, R1    \
	VPADDD     halfOfOdd<>(SB), R1, R1     \
	VPADDD     halfOfOdd<>(SB), T0, T0     \
	VPSRAD     $oddShift, R1, R1           \
	VPSRAD     $oddShift, T0, T0           \
	VPACKSSDW  T0, R1, R1

// TRANSPOSE transposes rows 0 and 2 in R0 and 1 and 3 in R1 to columns 0 and 1 in R0 and 2 and 3 in
// R1.
#define TRANSPOSE(R0, R1, T0, T1) \
	VPUNPCKLWD R1, R0, T0 \
	VPUNPCKHWD R1, R0, T1 \
	VPUNPCKLDQ T1, T0, R0 \
	VPUNPCKHDQ T1, T0, R1

// FORWARD transforms differences to coefficients.
#define FORWARD(R0, R1, T0, T1) \
	BUTTERFLY(R0, R1, T0, T1, manyPlus, manyMinus, half9, 9, half9, 9) \
	TRANSPOSE(R0, R1, T0, T1)                                                 \
	BUTTERFLY(R0, R1, T0, T1, plus, minus, half4, 4, half16, 16)         \
	TRANSPOSE(R0, R1, T0, T1)

// INVERSE_PASS is one pass of the inverse transform. It transforms rows 0 and 1 in R0 and 2 and 3
// in R1 to the outputs 0 and 1 in R0 and 3 and 2 in R1.
#define INVERSE_PASS(R0, R1, T0, T1, T2, T3) \
	VPUNPCKHQDQ R1, R0, T0                   \
	VPUNPCKLQDQ R1, R0, T1                   \
	VPMULHW     inverseCosine<>(SB), T0, T2  \
	VPMULHW     inverseSine<>(SB), T0, T3    \
	VPADDW      T0, T2, T2                   \
	VPADDW      T0, T3, T3                   \
	VPSHUFD     $0x4E, T2, T2                \
	VPSUBW      T2, T3, T0                   \
	VPADDW      T2, T3, T2                   \
	VPSHUFD     $0x4E, T1, T3                \
	VPADDW      T3, T1, R0                   \
	VPSUBW      T3, T1, T3                   \
	VPUNPCKLQDQ T3, R0, T1                   \
	VPUNPCKHQDQ T2, T2, T2                   \
	VPUNPCKLQDQ T0, T2, T2                   \
	VPADDW      T2, T1, R0                   \
	VPSUBW      T2, T1, R1

// TRANSPOSE_BACK transposes rows 0 and 1 in R0 and 3 and 2 in R1 to columns 0 and 1 in R0 and 2 and
// 3 in R1.
#define TRANSPOSE_BACK(R0, R1, T0, T1) \
	VPSHUFD    $0x4E, R1, R1 \
	VPUNPCKLWD R1, R0, T0    \
	VPUNPCKHWD R1, R0, T1    \
	VPUNPCKLWD T1, T0, R0    \
	VPUNPCKHWD T1, T0, R1

// INVERSE transforms coefficients to differences.
#define INVERSE(R0, R1, T0, T1, T2, T3) \
	INVERSE_PASS(R0, R1, T0, T1, T2, T3)         \
	TRANSPOSE_BACK(R0, R1, T0, T1)             \
	VPADDW firstFour<>(SB), R0, R0       \
	INVERSE_PASS(R0, R1, T0, T1, T2, T3)         \
	TRANSPOSE_BACK(R0, R1, T0, T1)             \
	VPSRAW $3, R0, R0                    \
	VPSRAW $3, R1, R1

// LEVELS quantizes coefficients to levels.
#define LEVELS(coefficients, levels, BIAS, INVERSES) \
	VPABSW   coefficients, levels          \
	VPADDW   BIAS, levels, levels          \
	VPMULHUW INVERSES, levels, levels      \
	VPMINUW  maxLevel<>(SB), levels, levels    \
	VPSIGNW  coefficients, levels, levels

// ZIGZAG converts from row-major to zigzag order.
#define ZIGZAG(R0, R1, Z0, Z1, T) \
	VPSHUFB zigzagLowOfLow<>(SB), R0, Z0    \
	VPSHUFB zigzagLowOfHigh<>(SB), R1, T    \
	VPOR    T, Z0, Z0                       \
	VPSHUFB zigzagHighOfLow<>(SB), R0, Z1   \
	VPSHUFB zigzagHighOfHigh<>(SB), R1, T   \
	VPOR    T, Z1, Z1

// PRESENT sets the bits of AX for nonzero levels, 16 bits per block.
#define PRESENT(Z0, Z1, T, ZERO) \
	VPXOR     ZERO, ZERO, ZERO \
	VPACKSSWB Z1, Z0, T        \
	VPCMPEQB  ZERO, T, T       \
	VPMOVMSKB T, AX            \
	NOTL      AX

// LOADPAIR reads four rows of eight samples as words of two blocks.
#define LOADPAIR(P, R0, X0, R1, X1, T) \
	VMOVQ      (P), X0                \
	VMOVQ      (P)(CX*1), T           \
	VPUNPCKLDQ T, X0, X0              \
	VPMOVZXBW  X0, R0                 \
	VMOVQ      (P)(CX*2), X1          \
	VMOVQ      (P)(R10*1), T          \
	VPUNPCKLDQ T, X1, X1              \
	VPMOVZXBW  X1, R1

// STOREPAIR writes the words of two blocks as four rows of eight samples.
#define STOREPAIR(P, R0, X0, R1, X1, XT) \
	VPACKUSWB    R1, R0, R0       \
	VEXTRACTI128 $1, R0, XT       \
	VPUNPCKHDQ   XT, X0, X1       \
	VPUNPCKLDQ   XT, X0, X0       \
	VMOVQ        X0, (P)          \
	VPEXTRQ      $1, X0, (P)(CX*1) \
	VMOVQ        X1, (P)(CX*2)    \
	VPEXTRQ      $1, X1, (P)(R10*1)
