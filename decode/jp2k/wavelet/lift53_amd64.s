//go:build !purego

#include "textflag.h"

// The macros below take the instructions for lanes of 32 or of 16 bits.

// TWOS sets a vector to twos. sign is the number of bits of a lane less one.
#define TWOS(ADD, SHIFTRIGHT, sign, out) \
	VPCMPEQD   out, out, out   \
	SHIFTRIGHT $sign, out, out \
	ADD        out, out, out

// EVEN computes low minus a quarter of the sum of its neighbors, rounded.
#define EVEN(ADD, SUBTRACT, SHIFT, low, before, after, twos, out) \
	ADD      after, before, out \
	ADD      twos, out, out     \
	SHIFT    $2, out, out       \
	SUBTRACT out, low, out

// ACROSS interleaves a row of the 5-3 wavelet, in steps of a vector of pairs. size is that of a sample.
//
//	DI   to           Y0, Y1      low samples
//	SI   low          Y2, Y3, Y4  high samples
//	DX   high         Y5, Y6      even samples; odd samples
//	CX   vectors left Y7-Y10      scratch
//	Y15  twos
#define ACROSS(ADD, SUBTRACT, SHIFT, LOWHALVES, HIGHHALVES, size) \
	MOVQ to+0(FP), DI        \
	MOVQ low+8(FP), SI       \
	MOVQ high+16(FP), DX     \
	MOVQ vectors+24(FP), CX  \
	                         \
step:                        \
	VMOVDQU (SI), Y0         \
	VMOVDQU size(SI), Y1     \
	VMOVDQU (DX), Y2         \
	VMOVDQU size(DX), Y3     \
	VMOVDQU (2*size)(DX), Y4 \
	EVEN(ADD, SUBTRACT, SHIFT, Y0, Y2, Y3, Y15, Y5) \
	EVEN(ADD, SUBTRACT, SHIFT, Y1, Y3, Y4, Y15, Y6) \ // the even samples that follow
	                         \
	ADD   Y6, Y5, Y6         \
	SHIFT $1, Y6, Y6         \
	ADD   Y6, Y3, Y6         \ // odd samples
	                         \
	LOWHALVES  Y6, Y5, Y7    \
	HIGHHALVES Y6, Y5, Y8    \
	VPERM2I128 $0x20, Y8, Y7, Y9  \
	VPERM2I128 $0x31, Y8, Y7, Y10 \
	VMOVDQU    Y9, (DI)      \
	VMOVDQU    Y10, 32(DI)   \
	ADDQ       $32, SI       \
	ADDQ       $32, DX       \
	ADDQ       $64, DI       \
	DECQ       CX            \
	JNZ        step          \
	VZEROUPPER               \
	RET

// DOWN computes an even and an odd row of the 5-3 wavelet. perStep is the number of columns in a
// vector, and toBytes is log2 of the size of a sample.
//
//	DI   even     R10  after
//	SI   odd      R11  previous
//	R8   low      R13  byte offset of the last vector
//	R9   before   BX   byte offset of the columns
//	Y0-Y4  scratch     Y15  twos
#define DOWN(ADD, SUBTRACT, SHIFT, perStep, toBytes) \
	MOVQ even+0(FP), DI      \
	MOVQ odd+8(FP), SI       \
	MOVQ low+16(FP), R8      \
	MOVQ before+24(FP), R9   \
	MOVQ after+32(FP), R10   \
	MOVQ previous+40(FP), R11 \
	MOVQ columns+48(FP), R13 \
	SUBQ $perStep, R13       \
	SHLQ $toBytes, R13       \
	XORQ BX, BX              \
	                         \
step:                        \
	VMOVDQU (R8)(BX*1), Y0   \
	VMOVDQU (R9)(BX*1), Y1   \
	VMOVDQU (R10)(BX*1), Y2  \
	EVEN(ADD, SUBTRACT, SHIFT, Y0, Y1, Y2, Y15, Y3) \
	ADD     (R11)(BX*1), Y3, Y4 \
	SHIFT   $1, Y4, Y4       \
	ADD     Y4, Y1, Y4       \
	VMOVDQU Y3, (DI)(BX*1)   \
	VMOVDQU Y4, (SI)(BX*1)   \
	                         \
	CMPQ    BX, R13          \
	JEQ     done             \
	ADDQ    $32, BX          \
	CMPQ    BX, R13          \
	CMOVQGT R13, BX          \
	JMP     step             \
	                         \
done:                        \
	VZEROUPPER               \
	RET

// across53Words interleaves a row of int32. Its Go twin is across53InGo.
//
// func across53Words(to, low, high unsafe.Pointer, vectors int)
TEXT ·across53Words(SB), NOSPLIT, $0-32
	TWOS(VPADDD, VPSRLD, 31, Y15)
	ACROSS(VPADDD, VPSUBD, VPSRAD, VPUNPCKLDQ, VPUNPCKHDQ, 4)

// across53Shorts interleaves a row of int16. Its Go twin is across53InGo.
//
// func across53Shorts(to, low, high unsafe.Pointer, vectors int)
TEXT ·across53Shorts(SB), NOSPLIT, $0-32
	TWOS(VPADDW, VPSRLW, 15, Y15)
	ACROSS(VPADDW, VPSUBW, VPSRAW, VPUNPCKLWD, VPUNPCKHWD, 2)

// down53Words computes rows of int32. Its Go twin is down53InGo.
//
// func down53Words(even, odd, low, before, after, previous unsafe.Pointer, columns int)
TEXT ·down53Words(SB), NOSPLIT, $0-56
	TWOS(VPADDD, VPSRLD, 31, Y15)
	DOWN(VPADDD, VPSUBD, VPSRAD, 8, 2)

// down53Shorts computes rows of int16. Its Go twin is down53InGo.
//
// func down53Shorts(even, odd, low, before, after, previous unsafe.Pointer, columns int)
TEXT ·down53Shorts(SB), NOSPLIT, $0-56
	TWOS(VPADDW, VPSRLW, 15, Y15)
	DOWN(VPADDW, VPSUBW, VPSRAW, 16, 1)
