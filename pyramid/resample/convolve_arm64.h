// The body of the routines in convolve_arm64.s, which define SHIFT and LOAD.
//
// For each pixel it sums four columns under the kernel downwards at a time, then weighs them and
// adds them across. If two columns remain, it sums them together with the two before them and
// ignores the latter, so that it never reads beyond the kernel. It sums two rows at a time, because
// a kernel has an even number of rows.
//
//	R0  sums       R8   x        R15  end of the weights of the rows
//	R1  source     R9   tapsX    R16  number of columns left
//	R2  at         R10  y        R17  first sample of the four columns in the current row
//	R3  fx         R11  tapsY    R19  weight of the current row
//	R4  fy         R12  first sample of the four columns
//	R5  n          R13  weights of the four columns
//	R6  corner     R14  weights of the rows
//	R7  stride in bytes
//
//	V0, V1  sums across           V4-V7  samples of two rows
//	V2, V3  sums of the columns   V16, V17  weights

	MOVD sums+0(FP), R0
	MOVD source+8(FP), R1
	MOVD at+16(FP), R2
	MOVD fx+24(FP), R3
	MOVD fy+32(FP), R4
	MOVD n+40(FP), R5
	MOVD corner+48(FP), R6
	MOVD stride+56(FP), R7
	MOVD x+64(FP), R8
	MOVD tapsX+72(FP), R9
	MOVD y+80(FP), R10
	MOVD tapsY+88(FP), R11
	LSL  $SHIFT, R7, R7

pixel:
	MOVW.P  4(R2), R12
	MOVBU.P 1(R3), R13
	MOVBU.P 1(R4), R14
	SUB     R6, R12, R12
	MUL     R9, R13, R13
	MUL     R11, R14, R14
	ADD     R12<<SHIFT, R1, R12
	ADD     R13<<3, R8, R13
	ADD     R14<<3, R10, R14
	ADD     R11<<3, R14, R15
	MOVD    R9, R16
	VEOR    V0.B16, V0.B16, V0.B16
	VEOR    V1.B16, V1.B16, V1.B16

sum:
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	MOVD R12, R17
	MOVD R14, R19

rows:
	LOAD((R17), F4, 4, 5)
	ADD     R7, R17, R17
	LOAD((R17), F6, 6, 7)
	ADD     R7, R17, R17
	FMOVQ.P 16(R19), F16
	VFMUL_D2_D(0, 16, 4, 4)
	VFMUL_D2_D(0, 16, 5, 5)
	VFMUL_D2_D(1, 16, 6, 6)
	VFMUL_D2_D(1, 16, 7, 7)
	VFADD_D2(4, 2, 2)
	VFADD_D2(5, 3, 3)
	VFADD_D2(6, 2, 2)
	VFADD_D2(7, 3, 3)
	CMP     R15, R19
	BLO     rows

	CMP     $4, R16
	BLT     two
	FLDPQ.P 32(R13), (F16, F17)
	VFMUL_D2(16, 2, 2)
	VFMUL_D2(17, 3, 3)
	VFADD_D2(2, 0, 0)
	VFADD_D2(3, 1, 1)
	ADD     $(4<<SHIFT), R12
	SUBS    $4, R16
	BEQ     across
	CMP     $4, R16
	BGE     sum
	SUB     $(2<<SHIFT), R12
	B       sum

two:
	FMOVQ (R13), F16
	VFMUL_D2(16, 3, 3)
	VFADD_D2(3, 0, 0)

across:
	VFADD_D2(1, 0, 0)
	VFADDP_D(0, 0)
	FMOVD.P F0, 8(R0)
	SUBS    $1, R5, R5
	BNE     pixel
	RET
