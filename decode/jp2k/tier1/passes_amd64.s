//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "passes_amd64.h"
#include "coder_amd64.h"

// significanceBMI2 decodes a significance pass of one block, or of two if q is not nil.
//
// func significanceBMI2(p, q *passFrame)
TEXT ·significanceBMI2(SB), 0, $768-16
	MOVQ  p+0(FP), DI
	ENTER(0, BX, R9, R10, R13)
	MOVQ  q+8(FP), DI
	TESTQ DI, DI
	JEQ   first
	ENTER(LANE, AX, R11, R12, R15)

both:
	SIGNIFICANCE(0, BX, R9, R10, R13, endGroupA, coefficientA, refillA, refilledA)
	SIGNIFICANCE(LANE, AX, R11, R12, R15, endGroupB, coefficientB, refillB, refilledB)
	POSSIBLE_SIGN(0, R13)
	POSSIBLE_SIGN(LANE, R15)
	SIGN_OR_NONE(0, R9, R10, R13, refillSignA, refilledSignA)
	SIGN_OR_NONE(LANE, R11, R12, R15, refillSignB, refilledSignB)
	JMP both
	SIGNIFICANCE_REST(0, BX, R9, R10, R13, endGroupA, groupA, coefficientA, second, refillA, onesA, refilledA, refillSignA, onesSignA, refilledSignA)
	SIGNIFICANCE_REST(LANE, AX, R11, R12, R15, endGroupB, groupB, coefficientB, begun, refillB, onesB, refilledB, refillSignB, onesSignB, refilledSignB)

	// The first block alone. It has begun a coefficient when the second ends.
first:
	SIGNIFICANCE(0, BX, R9, R10, R13, endGroupC, coefficientC, refillC, refilledC)
begun:
	POSSIBLE_SIGN(0, R13)
	SIGN_OR_NONE(0, R9, R10, R13, refillSignC, refilledSignC)
	JMP first
	SIGNIFICANCE_REST(0, BX, R9, R10, R13, endGroupC, groupC, coefficientC, done, refillC, onesC, refilledC, refillSignC, onesSignC, refilledSignC)

	// The second block alone.
second:
	SIGNIFICANCE(LANE, AX, R11, R12, R15, endGroupD, coefficientD, refillD, refilledD)
	POSSIBLE_SIGN(LANE, R15)
	SIGN_OR_NONE(LANE, R11, R12, R15, refillSignD, refilledSignD)
	JMP second
	SIGNIFICANCE_REST(LANE, AX, R11, R12, R15, endGroupD, groupD, coefficientD, done, refillD, onesD, refilledD, refillSignD, onesSignD, refilledSignD)

done:
	LEAVE(0, R9, R10)
	MOVQ  q+8(FP), DI
	TESTQ DI, DI
	JEQ   return
	LEAVE(LANE, R11, R12)

return:
	RET

// refinementBMI2 decodes a refinement pass of one block, or of two if q is not nil.
//
// func refinementBMI2(p, q *passFrame)
TEXT ·refinementBMI2(SB), 0, $768-16
	MOVQ  p+0(FP), DI
	ENTER(0, BX, R9, R10, R13)
	MOVQ  q+8(FP), DI
	TESTQ DI, DI
	JEQ   first
	ENTER(LANE, AX, R11, R12, R15)

both:
	REFINEMENT(0, BX, R9, R10, R13, endGroupA, coefficientA, refillA, refilledA)
	REFINEMENT(LANE, AX, R11, R12, R15, endGroupB, coefficientB, refillB, refilledB)
	JMP both
	REFINEMENT_REST(0, BX, R9, R10, R13, endGroupA, groupA, coefficientA, second, refillA, onesA, refilledA)
	REFINEMENT_REST(LANE, AX, R11, R12, R15, endGroupB, groupB, coefficientB, first, refillB, onesB, refilledB)

	// The first block alone.
first:
	REFINEMENT(0, BX, R9, R10, R13, endGroupC, coefficientC, refillC, refilledC)
	JMP first
	REFINEMENT_REST(0, BX, R9, R10, R13, endGroupC, groupC, coefficientC, done, refillC, onesC, refilledC)

	// The second block alone.
second:
	REFINEMENT(LANE, AX, R11, R12, R15, endGroupD, coefficientD, refillD, refilledD)
	JMP second
	REFINEMENT_REST(LANE, AX, R11, R12, R15, endGroupD, groupD, coefficientD, done, refillD, onesD, refilledD)

done:
	LEAVE(0, R9, R10)
	MOVQ  q+8(FP), DI
	TESTQ DI, DI
	JEQ   return
	LEAVE(LANE, R11, R12)

return:
	RET

// cleanupBMI2 decodes a cleanup pass of one block, or of two if q is not nil.
//
// func cleanupBMI2(p, q *passFrame)
TEXT ·cleanupBMI2(SB), 0, $768-16
	MOVQ  p+0(FP), DI
	ENTER(0, BX, R9, R10, R13)
	MOVQ  q+8(FP), DI
	TESTQ DI, DI
	JEQ   first
	ENTER(LANE, AX, R11, R12, R15)

both:
	CLEANUP(0, BX, R9, R10, R13, endGroupA, coefficientA, quietA, foundA, nextA, refillA, refilledA)
	CLEANUP(LANE, AX, R11, R12, R15, endGroupB, coefficientB, quietB, foundB, nextB, refillB, refilledB)
	JMP both
quietA:
	QUIET(0, BX, R9, R10, runA, foundA, nextA, refillRunA, refilledRunA, refillHighA, refilledHighA, refillLowA, refilledLowA)
	CLEANUP_REST(0, BX, R9, R10, R13, endGroupA, groupA, coefficientA, foundA, nextA, second, refillA, onesA, refilledA, refillSignA, onesSignA, refilledSignA)
	REFILL(0, R10, refillRunA, onesRunA, refilledRunA)
	REFILL(0, R10, refillHighA, onesHighA, refilledHighA)
	REFILL(0, R10, refillLowA, onesLowA, refilledLowA)
quietB:
	QUIET(LANE, AX, R11, R12, runB, foundB, nextB, refillRunB, refilledRunB, refillHighB, refilledHighB, refillLowB, refilledLowB)
	CLEANUP_REST(LANE, AX, R11, R12, R15, endGroupB, groupB, coefficientB, foundB, nextB, first, refillB, onesB, refilledB, refillSignB, onesSignB, refilledSignB)
	REFILL(LANE, R12, refillRunB, onesRunB, refilledRunB)
	REFILL(LANE, R12, refillHighB, onesHighB, refilledHighB)
	REFILL(LANE, R12, refillLowB, onesLowB, refilledLowB)

	// The first block alone.
first:
	CLEANUP(0, BX, R9, R10, R13, endGroupC, coefficientC, quietC, foundC, nextC, refillC, refilledC)
	JMP first
quietC:
	QUIET(0, BX, R9, R10, runC, foundC, nextC, refillRunC, refilledRunC, refillHighC, refilledHighC, refillLowC, refilledLowC)
	CLEANUP_REST(0, BX, R9, R10, R13, endGroupC, groupC, coefficientC, foundC, nextC, done, refillC, onesC, refilledC, refillSignC, onesSignC, refilledSignC)
	REFILL(0, R10, refillRunC, onesRunC, refilledRunC)
	REFILL(0, R10, refillHighC, onesHighC, refilledHighC)
	REFILL(0, R10, refillLowC, onesLowC, refilledLowC)

	// The second block alone.
second:
	CLEANUP(LANE, AX, R11, R12, R15, endGroupD, coefficientD, quietD, foundD, nextD, refillD, refilledD)
	JMP second
quietD:
	QUIET(LANE, AX, R11, R12, runD, foundD, nextD, refillRunD, refilledRunD, refillHighD, refilledHighD, refillLowD, refilledLowD)
	CLEANUP_REST(LANE, AX, R11, R12, R15, endGroupD, groupD, coefficientD, foundD, nextD, done, refillD, onesD, refilledD, refillSignD, onesSignD, refilledSignD)
	REFILL(LANE, R12, refillRunD, onesRunD, refilledRunD)
	REFILL(LANE, R12, refillHighD, onesHighD, refilledHighD)
	REFILL(LANE, R12, refillLowD, onesLowD, refilledLowD)

done:
	LEAVE(0, R9, R10)
	MOVQ  q+8(FP), DI
	TESTQ DI, DI
	JEQ   return
	LEAVE(LANE, R11, R12)

return:
	RET
