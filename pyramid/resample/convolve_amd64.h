// The body of the routines in convolve_amd64.s, which define SHIFT and LOAD.
//
// For each pixel it sums four columns under the kernel downwards at a time, then weighs them and adds
// them across. If two columns remain, it sums them together with the two before them and ignores the
// latter, so that it never reads beyond the kernel. It sums two rows at a time, because a kernel has
// an even number of rows.
//
//	AX       index of the pixel
//	BX       stride in bytes
//	DX       at
//	DI       sums
//	SI       first sample of the four columns
//	R8       weights of the four columns
//	R9, R10  weights of the rows: start and end
//	R11      number of columns left
//	R12      first sample of the four columns in the current row
//	R13      weight of the current row
//	Y0       sum across
//	Y1       sums of the four columns
//	Y2, Y3   samples of two rows
//	Y4, Y5   weights of two rows

	MOVQ sums+0(FP), DI
	MOVQ at+16(FP), DX
	MOVQ stride+56(FP), BX
	SHLQ $SHIFT, BX
	XORQ AX, AX

pixel:
	CMPQ    AX, n+40(FP)
	JGE     done
	MOVLQSX (DX)(AX*4), SI
	SUBQ    corner+48(FP), SI
	SHLQ    $SHIFT, SI
	ADDQ    source+8(FP), SI // first of four columns
	MOVQ    fx+24(FP), R8
	MOVBLZX (R8)(AX*1), R8
	IMULQ   tapsX+72(FP), R8
	SHLQ    $3, R8
	ADDQ    x+64(FP), R8     // weights of the columns
	MOVQ    fy+32(FP), R9
	MOVBLZX (R9)(AX*1), R9
	MOVQ    tapsY+88(FP), R10
	IMULQ   R10, R9
	SHLQ    $3, R9
	ADDQ    y+80(FP), R9     // weights of the rows
	LEAQ    (R9)(R10*8), R10 // end of the weights of the rows
	MOVQ    tapsX+72(FP), R11
	VXORPD  Y0, Y0, Y0

columns:
	CMPQ R11, $4
	JGE  sum
	TESTQ R11, R11
	JEQ  across
	SUBQ $(2<<SHIFT), SI

sum:
	VXORPD Y1, Y1, Y1
	MOVQ   SI, R12
	MOVQ   R9, R13

rows:
	LOAD((R12), X2, Y2)
	LOAD((R12)(BX*1), X3, Y3)
	VBROADCASTSD 0(R13), Y4
	VBROADCASTSD 8(R13), Y5
	VMULPD Y4, Y2, Y2
	VMULPD Y5, Y3, Y3
	VADDPD Y2, Y1, Y1
	VADDPD Y3, Y1, Y1
	LEAQ   (R12)(BX*2), R12
	ADDQ   $16, R13
	CMPQ   R13, R10
	JLT    rows

	CMPQ   R11, $4
	JLT    two
	VMULPD (R8), Y1, Y1
	VADDPD Y1, Y0, Y0
	ADDQ   $32, R8
	ADDQ   $(4<<SHIFT), SI
	SUBQ   $4, R11
	JMP    columns

two:
	VEXTRACTF128 $1, Y1, X1
	VMULPD (R8), X1, X1
	VADDPD Y1, Y0, Y0

across:
	VEXTRACTF128 $1, Y0, X1
	VADDPD X1, X0, X0
	VUNPCKHPD X0, X0, X1
	VADDSD X1, X0, X0
	VMOVSD X0, (DI)(AX*8)
	INCQ   AX
	JMP    pixel

done:
	VZEROUPPER
	RET
