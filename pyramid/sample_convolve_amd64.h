// The body of the convolutions of sample_convolve_amd64.s, with SHIFT, log2 of
// the size of a sample, and LOAD(from, x, y) to make four samples into float64.
//
// For each pixel, four columns under the kernel are summed downwards at a time,
// then weighted and added across. If two columns are left, they are summed with
// the two before them once more, of which nothing is taken: no sample beyond the
// kernel is read. Rows go by two, since a kernel has an even number of them.

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
	ADDQ    source+8(FP), SI // the first of four columns
	MOVQ    fx+24(FP), R8
	MOVBLZX (R8)(AX*1), R8
	IMULQ   tapsX+72(FP), R8
	SHLQ    $3, R8
	ADDQ    x+64(FP), R8     // their weights
	MOVQ    fy+32(FP), R9
	MOVBLZX (R9)(AX*1), R9
	MOVQ    tapsY+88(FP), R10
	IMULQ   R10, R9
	SHLQ    $3, R9
	ADDQ    y+80(FP), R9     // the weights of rows
	LEAQ    (R9)(R10*8), R10 // and their end
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
