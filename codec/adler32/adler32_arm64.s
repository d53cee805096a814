//go:build !purego

#include "textflag.h"
#include "../../internal/neon/neon.h"

// weights holds the weight of each byte of a vector in the second Adler sum.
DATA weights<>+0(SB)/8, $0x191a1b1c1d1e1f20
DATA weights<>+8(SB)/8, $0x1112131415161718
DATA weights<>+16(SB)/8, $0x090a0b0c0d0e0f10
DATA weights<>+24(SB)/8, $0x0102030405060708
GLOBL weights<>(SB), RODATA|NOPTR, $32

// func addVectors(data *byte, vectors int) (sum, earlier, weighted uint32)
//
// addVectors computes the sums for a run of vectors, of 32 bytes each. Update combines them; its
// Go twin is updateInGo.
//
//	R0      data              V16  sum of the bytes
//	R1      remaining vectors V17  sums before each vector, added up
//	V0, V1  bytes             V18  weighted sum
//	V2, V3  sums of words     V30, V31 weights
TEXT ·addVectors(SB), NOSPLIT, $0-28
	MOVD  data+0(FP), R0
	MOVD  vectors+8(FP), R1
	MOVD  $weights<>(SB), R2
	FLDPQ (R2), (F30, F31)
	VEOR  V16.B16, V16.B16, V16.B16
	VEOR  V17.B16, V17.B16, V17.B16
	VEOR  V18.B16, V18.B16, V18.B16

vector:
	FLDPQ.P 32(R0), (F0, F1)
	VADD    V16.S4, V17.S4, V17.S4
	VUADDLP_B16(0, 2)
	VUADALP_B16(1, 2)
	VUADALP_H8(2, 16)
	VUMULL_B8(30, 0, 3)
	VUMLAL2_B16(30, 0, 3)
	VUMLAL_B8(31, 1, 3)
	VUMLAL2_B16(31, 1, 3)
	VUADALP_H8(3, 18)
	SUBS    $1, R1
	BNE     vector

	VADDV V16.S4, V16
	VADDV V17.S4, V17
	VADDV V18.S4, V18
	FMOVS F16, sum+16(FP)
	FMOVS F17, earlier+20(FP)
	FMOVS F18, weighted+24(FP)
	RET
