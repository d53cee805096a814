//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "passes_amd64.h"

// significanceBMI2 decodes a significance pass. Its Go twin is significancePass. Registers: see
// passes_amd64.h.
//
// func significanceBMI2(p *passFrame)
TEXT ·significanceBMI2(SB), NOSPLIT, $24-8
	ENTER

stripe:
	BEGIN_STRIPE

column:
	MOVQ  (R13), AX
	TESTQ AX, AX
	JEQ   nextColumn

	// The rows that have significant neighbors and are not significant.
	WITH_NEIGHBORS(BX, DX)
	MOVL  AX, DX
	SHRL  $const_ownBit, DX
	ANDNL BX, DX, BX
	ANDL  rows-8(SP), BX
	JEQ   nextColumn

row:
	TZCNTL BX, CX
	BLSIL  BX, DX
	BLSRL  BX, BX
	SHLL   $const_visitedBit, DX
	ORQ    DX, AX
	ZERO_CONTEXT
	DECODE(refillZero, refilledZero)
	TESTL  R14, R14
	JNE    found

nextRow:
	TESTL BX, BX
	JNE   row
	MOVQ  AX, (R13)

nextColumn:
	NEXT_COLUMN(column)
	NEXT_STRIPE(stripe)
	LEAVE

found:
	SIGN_CONTEXT
	DECODE(refillSign, refilledSign)
	FOUND

	// The row below now has a significant neighbor.
	MOVL  $(1<<const_rowBits), DX
	SHLXL CX, DX, DX
	ANDL  rows-8(SP), DX
	MOVL  AX, SI
	SHRL  $const_ownBit, SI
	ANDNL DX, SI, DX
	ORL   DX, BX
	JMP   nextRow

	REFILL(refillZero, onesZero, refilledZero)
	REFILL(refillSign, onesSign, refilledSign)

// refinementBMI2 decodes a refinement pass. Its Go twin is refinementPass. Registers: see
// passes_amd64.h.
//
// func refinementBMI2(p *passFrame)
TEXT ·refinementBMI2(SB), NOSPLIT, $24-8
	ENTER

stripe:
	BEGIN_STRIPE

column:
	// The rows that are significant and were not visited.
	MOVQ  (R13), AX
	MOVL  AX, BX
	SHRL  $const_ownBit, BX
	MOVL  AX, DX
	SHRL  $const_visitedBit, DX
	ANDNL BX, DX, BX
	ANDL  $const_allRows, BX
	JEQ   nextColumn
	MOVL  BX, DX
	SHLL  $const_refinedBit, DX
	ORQ   AX, DX
	MOVQ  DX, (R13)

	// AX becomes the contexts of the rows: 2 if the row was refined before, else 1 if it has
	// significant neighbors.
	WITH_NEIGHBORS(DX, SI)
	SHRL  $const_refinedBit, AX
	ANDNL DX, AX, DX
	ANDL  $const_allRows, AX
	ANDL  $const_allRows, DX
	LEAL  (DX)(AX*2), AX

row:
	TZCNTL BX, CX
	SHRXL  CX, AX, SI
	ANDL   $3, SI
	ADDL   $const_magnitudeContext, SI
	DECODE(refill, refilled)

	// The magnitude grows after a 1 and shrinks after a 0.
	MOVQ  p+0(FP), DX
	MOVQ  passFrame_stepToRow(DX)(CX*8), CX
	MOVL  (R15)(CX*1), SI
	MOVL  SI, BP
	SARL  $31, BP
	DECL  R14
	XORL  R14, BP
	MOVL  passFrame_change(DX), DI
	XORL  BP, DI
	SUBL  BP, DI
	ADDL  DI, SI
	MOVL  SI, (R15)(CX*1)
	BLSRL BX, BX
	JNE   row

nextColumn:
	NEXT_COLUMN(column)
	NEXT_STRIPE(stripe)
	LEAVE

	REFILL(refill, ones, refilled)

// cleanupBMI2 decodes a cleanup pass. Its Go twin is cleanupPass. Registers: see passes_amd64.h.
//
// func cleanupBMI2(p *passFrame)
TEXT ·cleanupBMI2(SB), NOSPLIT, $24-8
	ENTER

stripe:
	BEGIN_STRIPE

column:
	MOVQ  rows-8(SP), BX
	MOVQ  (R13), AX
	TESTQ AX, AX
	JEQ   quiet

	// The rows that are neither significant nor visited.
normal:
	MOVL  AX, DX
	SHRL  $const_ownBit, DX
	ANDNL BX, DX, BX
	MOVL  AX, DX
	SHRL  $const_visitedBit, DX
	ANDNL BX, DX, BX
	ANDQ  $~const_allVisited, AX
	TESTL BX, BX
	JEQ   endColumn

row:
	TZCNTL BX, CX
	BLSRL  BX, BX
	ZERO_CONTEXT
	DECODE(refillZero, refilledZero)
	TESTL  R14, R14
	JNE    found

nextRow:
	TESTL BX, BX
	JNE   row

endColumn:
	MOVQ AX, (R13)

nextColumn:
	NEXT_COLUMN(column)
	NEXT_STRIPE(stripe)
	LEAVE

found:
	SIGN_CONTEXT
	DECODE(refillSign, refilledSign)
	FOUND
	JMP nextRow

	// Nothing is significant in the column and around it. If the column has four rows, one symbol
	// may say that this remains so. That is the usual case, and the interval usually remains wide
	// enough, so it has a short path.
quiet:
	CMPL BX, $const_allRows
	JNE  normal
	MOVL $const_runContext, SI
	MOVQ STATE, DX
	MOVQ DX, DI
	SHRQ $const_widthShift, DX
	SHLQ $const_widthShift, DX
	CMPQ R10, DX
	JCS  run
	MOVQ R9, R8
	SUBQ DX, R8
	JPL  run
	TESTL $1, DI
	JNE  run
	MOVQ R8, R9
	SUBQ DX, R10
	JMP  nextColumn

run:
	DECODE(refillRun, refilledRun)
	TESTL R14, R14
	JEQ   nextColumn

	// Two symbols give the row of the first significant coefficient.
	MOVL  $const_uniformContext, SI
	DECODE(refillHigh, refilledHigh)
	MOVL  R14, CX
	DECODE(refillLow, refilledLow)
	LEAL  (R14)(CX*2), CX
	LEAL  (CX)(CX*2), CX
	MOVL  $-2, DX
	SHLXL CX, DX, DX
	ANDL  DX, BX
	JMP   found

	REFILL(refillZero, onesZero, refilledZero)
	REFILL(refillSign, onesSign, refilledSign)
	REFILL(refillRun, onesRun, refilledRun)
	REFILL(refillHigh, onesHigh, refilledHigh)
	REFILL(refillLow, onesLow, refilledLow)
