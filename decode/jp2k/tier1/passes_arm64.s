//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// The passes, one block after the other. Their registers:
//
//	R0   frame                         R9       what is left of the group, in the form of its masks
//	R1   coder.width                   R10      the bit of the coefficient in the group's masks
//	R2   coder.code                    R11      the table of significance contexts
//	R3   coder.ahead less minAhead     R12, R13 masks of the group, which each pass names
//	R4   coder.contexts                R14      the decoded symbol
//	R5   transitions                   R15      the context of the symbol
//	R6   the group's slots in field.around
//	R7   the group's values            R24      groups that are left in the stripe
//	R8   the group                     R26      coder
//
// R15 to R17 and R19 to R23 are scratch, of which DECODE leaves R23 alone.

// ENTER loads the registers, so that the group is the one before the first.
#define ENTER \
	MOVD f+0(FP), R0                \
	MOVD passFrame_coder(R0), R26   \
	MOVD passFrame_states(R0), R5   \
	MOVD passFrame_around(R0), R6   \
	MOVD passFrame_values(R0), R7   \
	MOVD passFrame_groups(R0), R8   \
	MOVD passFrame_zero(R0), R11    \
	MOVD passFrame_width(R0), R24   \
	MOVD coder_width(R26), R1       \
	MOVD coder_code(R26), R2        \
	MOVD coder_ahead(R26), R3       \
	ADD  $coder_contexts, R26, R4   \
	SUB  $const_minAhead, R3        \
	SUB  $const_groupSlots, R6      \
	SUB  $(4*const_groupSlots), R7  \
	SUB  $group__size, R8           \
	ADD  $1, R24

// LEAVE stores what changed of the coder.
#define LEAVE \
	ADD  $const_minAhead, R3  \
	MOVD R1, coder_width(R26) \
	MOVD R2, coder_code(R26)  \
	MOVD R3, coder_ahead(R26)

// NEXT_GROUP goes to the next group, or jumps to done if there is none.
#define NEXT_GROUP \
	ADD  $const_groupSlots, R6        \
	ADD  $(4*const_groupSlots), R7    \
	ADD  $group__size, R8             \
	SUBS $1, R24                      \
	BNE  group                        \
	MOVD passFrame_toStripe(R0), R15  \
	MOVD passFrame_stripes(R0), R16   \
	MOVD passFrame_width(R0), R24     \
	ADD  R15, R6                      \
	ADD  R15<<2, R7                   \
	ADD  $(2*group__size), R8         \
	SUBS $1, R16                      \
	MOVD R16, passFrame_stripes(R0)   \
	BEQ  done                         \
group:

// DECODE decodes a symbol in the context R15 into R14. Its Go twin is coder.symbol. It loads both
// possible next states before the symbol is known, since the next symbol of the context waits for
// the state.
#define DECODE(ones, decoded) \
	MOVD (R4)(R15<<3), R16               \
	AND  $const_transitionsMask, R16, R20 \
	AND  $(0xFFFF<<const_widthShift), R16, R17 \ // the width of the less probable symbol's interval
	ADD  R5, R20                         \
	LDP  (R20), (R21, R22)               \
	SUB  R17, R1                         \
	CMP  R17, R1                         \
	CSET LO, R14                         \ // the intervals are exchanged
	SUBS R17, R2, R19                    \
	CSEL LO, R17, R1, R1                 \ // the place is in the lower interval
	CSEL LO, R2, R19, R2                 \
	CINC LO, R14, R14                    \
	ADD  R16, R14                        \ // bit 0: the more probable symbol, changed by each of the two
	ANDS $1, R14                         \
	CSEL NE, R22, R21, R21               \
	CMP  $0, R1                          \
	CSEL LT, R16, R21, R16               \ // nothing is learned while the interval remains wide enough
	MOVD R16, (R4)(R15<<3)               \
	CLZ  R1, R17                         \
	LSL  R17, R1                         \
	LSL  R17, R2                         \
	SUBS R17, R3                         \
	BGE  decoded                         \
	REFILL(ones)                         \
decoded:

// REFILL reads the next word ahead. Its Go twin is coder.refill.
#define REFILL(ones) \
	MOVD  coder_position(R26), R16   \
	MOVD  coder_plain(R26), R19      \
	MOVD  (coder_plain+8)(R26), R20  \
	MOVD  $0xFFFFFFFF, R17           \
	CMP   R20, R16                   \
	BGE   ones                       \
	MOVWU (R19)(R16), R17            \
	REVW  R17, R17                   \
ones: \
	ADD   $const_wordBytes, R16      \
	MOVD  R16, coder_position(R26)   \
	NEG   R3, R19                    \
	LSL   R19, R17                   \
	ADD   R17, R2                    \
	ADD   $const_wordBits, R3

// TAKE takes the first bit of what is left.
#define TAKE \
	RBIT R9, R10    \
	CLZ  R10, R10   \
	SUB  $1, R9, R15 \
	AND  R15, R9

// BESIDE sets own to what is significant in the group at an address, and to to what is significant
// to the left or right of each coefficient. Its Go twin is field.beside.
#define BESIDE(at, own, to, scratch) \
	MOVD group_significant(at), own                   \
	LSL  $const_stripeRows, own, to                   \
	ORR  own>>const_stripeRows, to                    \
	MOVD (group_significant-group__size)(at), scratch \
	ORR  scratch>>const_lastColumn, to                \
	MOVD (group_significant+group__size)(at), scratch \
	ORR  scratch<<const_lastColumn, to

// WITH_NEIGHBORS sets R12 to what has significant neighbors in the group, and R13 to what is
// significant. Its Go twin is field.withNeighbors.
#define WITH_NEIGHBORS \
	MOVD passFrame_groupStride(R0), R15  \
	SUB  R15, R8, R16                    \
	ADD  R15, R8, R17                    \
	BESIDE(R16, R19, R12, R20)           \ // above
	ORR  R19, R12                        \
	LSR  $const_lastRow, R12             \
	AND  $const_firstRows, R12           \
	BESIDE(R17, R19, R16, R20)           \ // below
	ORR  R19, R16                        \
	MOVD passFrame_fromBelow(R0), R15    \
	AND  R16<<const_lastRow, R15, R16    \
	ORR  R16, R12                        \
	BESIDE(R8, R13, R16, R20)            \
	ORR  R16, R12                        \
	ORR  R13, R16                        \
	LSL  $1, R16, R17                    \
	AND  $~const_firstRows, R17          \
	ORR  R17, R12                        \
	LSR  $1, R16                         \
	AND  $~const_lastRows, R16           \
	ORR  R16, R12

// ZERO_CONTEXT sets R15 to the significance context of the coefficient.
#define ZERO_CONTEXT \
	MOVBU (R6)(R10), R15 \
	MOVBU (R11)(R15), R15

// NEGATIVE sets a bit of R22 to the sign of a value.
#define NEGATIVE(value, bit) \
	MOVWU value, R23    \
	LSR   $31, R23      \
	BFI   $bit, R23, $1, R22

// TELL tells a slot of field.around that a neighbor is significant.
#define TELL(slot, neighbor) \
	MOVBU slot, R21           \
	ORR   $neighbor, R21      \
	MOVB  R21, slot

// FOUND decodes the sign of a coefficient that became significant, writes its value and tells its
// neighbors. Its Go twin is scan.found. The context of the sign depends on which straight neighbors
// are significant and which are negative.
#define FOUND(told, ones, decoded) \
	AND   $const_lastRow, R10, R16         \
	ADD   R10, R6, R17                     \
	ADD   R10<<2, R7, R21                  \
	ADD   R16<<4, R0, R19                  \
	LDP   passFrame_steps(R19), (R19, R20) \
	MOVBU (R17), R22                       \
	UBFIZ $const_straightBits, R22, $const_straightBits, R22 \
	NEGATIVE((R21)(R20<<2), 3)             \
	NEGATIVE(16(R21), 2)                   \
	NEGATIVE(-16(R21), 1)                  \
	NEGATIVE((R21)(R19<<2), 0)             \
	MOVD  passFrame_sign(R0), R15          \
	MOVHU (R15)(R22<<1), R23               \ // signContext.mark in the upper byte
	                                       \
	ADD   R17, R20                         \
	TELL(-4(R17), const_east)              \
	TELL(4(R17), const_west)               \
	TELL(-4(R20), const_northEast)         \
	TELL((R20), const_north)               \
	TELL(4(R20), const_northWest)          \
	MOVD  passFrame_firstTold(R0), R15     \
	CMP   R15, R16                         \
	BLT   told                             \
	ADD   R17, R19                         \
	TELL(-4(R19), const_southEast)         \
	TELL((R19), const_south)               \
	TELL(4(R19), const_southWest)          \
told: \
	MOVD  $1, R16                          \
	MOVD  group_significant(R8), R17       \
	LSL   R10, R16                         \
	ORR   R16, R17                         \
	MOVD  R17, group_significant(R8)       \
	                                       \
	AND   $const_contextMask, R23, R15     \
	DECODE(ones, decoded)                  \
	EOR   R23>>8, R14                      \
	MOVD  passFrame_positive(R0), R15      \
	ORR   R14<<31, R15                     \
	MOVW  R15, (R7)(R10<<2)

// significanceInAssembly decodes a significance pass. Its Go twin is significancePass. R12 is what
// is visited.
//
// func significanceInAssembly(f *passFrame)
TEXT ·significanceInAssembly(SB), NOSPLIT, $0-8
	ENTER

next:
	NEXT_GROUP
	WITH_NEIGHBORS
	MOVD group_inside(R8), R15
	BIC  R13, R15
	AND  R15, R12
	MOVD R12, R9
	CBZ  R9, end

coefficient:
	TAKE
	ZERO_CONTEXT
	DECODE(ones, decoded)
	CBNZ R14, found

more:
	CBNZ R9, coefficient

end:
	MOVD R12, group_visited(R8)
	B    next

found:
	FOUND(told, onesSign, decodedSign)
	MOVD passFrame_following(R0), R15
	MOVD group_inside(R8), R16
	MOVD group_significant(R8), R17
	MOVD (R15)(R10<<3), R15
	BIC  R17, R16
	AND  R16, R15
	ORR  R15, R9
	ORR  R15, R12
	B    more

done:
	LEAVE
	RET

// refinementInAssembly decodes a refinement pass. Its Go twin is refinementPass. R12 is what has
// significant neighbors and was not refined before, R13 what was. The value grows after a 1 and
// shrinks after a 0.
//
// func refinementInAssembly(f *passFrame)
TEXT ·refinementInAssembly(SB), NOSPLIT, $0-8
	ENTER
	MOVD passFrame_change(R0), R25

next:
	NEXT_GROUP
	MOVD group_significant(R8), R9
	MOVD group_visited(R8), R15
	BICS R15, R9, R9
	BEQ  next
	WITH_NEIGHBORS
	MOVD group_refined(R8), R13
	BIC  R13, R12
	ORR  R13, R9, R15
	MOVD R15, group_refined(R8)

coefficient:
	TAKE
	LSR  R10, R13, R15
	LSR  R10, R12, R16
	AND  $1, R15
	AND  $1, R16
	ADD  R15<<1, R16, R15
	ADD  $const_magnitudeContext, R15
	DECODE(ones, decoded)
	MOVW (R7)(R10<<2), R15
	CMP  $0, R14
	CSNEG NE, R25, R25, R16
	ADD  R16, R15
	MOVW R15, (R7)(R10<<2)
	CBNZ R9, coefficient
	B    next

done:
	LEAVE
	RET

// cleanupInAssembly decodes a cleanup pass. Its Go twin is cleanupPass. R12 are the quiet columns,
// by their first row.
//
// func cleanupInAssembly(f *passFrame)
TEXT ·cleanupInAssembly(SB), NOSPLIT, $0-8
	ENTER

next:
	NEXT_GROUP
	WITH_NEIGHBORS
	MOVD group_inside(R8), R9
	MOVD group_visited(R8), R16
	MOVD ZR, group_visited(R8)
	ORR  R13, R12
	ORN  R9, R12
	ORR  R12>>1, R12
	ORR  R12>>2, R12
	MOVD $const_firstRows, R15
	BIC  R12, R15, R12
	BIC  R13, R9
	BIC  R16, R9
	LSL  $1, R12, R15 // the first row stands for a quiet column
	LSL  $const_stripeRows, R12, R16
	SUB  R15, R16
	BIC  R16, R9
	CBZ  R9, next
	CMP  R12, R9
	BEQ  allQuiet

coefficient:
	TAKE
	LSR  R10, R12, R15
	TBNZ $0, R15, quiet
	ZERO_CONTEXT
	DECODE(ones, decoded)
	CBNZ R14, found

more:
	CBNZ R9, coefficient
	B    next

allQuiet:
	// All columns remain quiet, if the interval can lose that many less probable symbols. The Go twin is
	// coder.zeros.
	MOVD    (8*const_runContext)(R4), R15
	TBNZ    $0, R15, coefficient
	FMOVD   R9, F0
	VCNT    V0.B8, V0.B8
	VUADDLV V0.B8, V0
	FMOVD   F0, R16
	LSR     $const_widthShift, R15
	MUL     R15, R16
	LSR     $const_widthShift, R1, R17
	SUB     $(1<<(63-const_widthShift)), R17 // half of the largest width
	CMP     R17, R16
	BHI     coefficient
	CMP     R2>>const_widthShift, R16
	BHI     coefficient
	SUB     R16<<const_widthShift, R1
	SUB     R16<<const_widthShift, R2
	B       next

quiet:
	// If the column does not remain quiet, two symbols give the row of the first significant
	// coefficient, and the rows below it are left.
	MOVD $const_runContext, R15
	DECODE(onesRun, decodedRun)
	CBZ  R14, more
	MOVD $const_uniformContext, R15
	DECODE(onesHigh, decodedHigh)
	MOVD R14, R23
	DECODE(onesLow, decodedLow)
	MOVD $const_columnMask, R15
	LSL  R10, R15
	ORR  R15, R9
	ADD  R23<<1, R10
	ADD  R14, R10
	MOVD $-2, R15
	LSL  R10, R15
	AND  R15, R9

found:
	FOUND(told, onesSign, decodedSign)
	AND  $const_columnBits, R10, R15 // the next column is no longer quiet
	MOVD $(1<<const_stripeRows), R16
	LSL  R15, R16
	AND  R12, R16
	EOR  R16, R12
	LSL  $const_stripeRows, R16, R17
	SUB  R16, R17
	ORR  R17, R9
	B    more

done:
	LEAVE
	RET
