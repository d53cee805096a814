// The macros of the passes in assembly. All passes use the same registers:
//
//	AX   the field's word of the column; refinement: the contexts of its rows
//	BX   the rows that are left, a bit each at 3 times the row
//	CX   3 times the row; bit 7 flips the symbol of the sign
//	SI   the context of the symbol
//	R9   coder.width
//	R10  coder.code
//	R11  coder.ahead
//	R12  the coder
//	R13  address of the column's word
//	R14  the decoded symbol
//	R15  address of the column's first coefficient
//	DX, DI, BP, R8  scratch
//
// The stack holds the mask of the stripe's rows (rows), the address where the stripe's words end
// (end), and the table of significance contexts (zero).

#define STATE coder_contexts(R12)(SI*8)

// ENTER loads the coder and the addresses of the first column.
#define ENTER \
	MOVQ p+0(FP), DI              \
	MOVQ passFrame_coder(DI), R12 \
	MOVQ passFrame_words(DI), R13 \
	MOVQ passFrame_out(DI), R15   \
	MOVQ passFrame_zero(DI), DX   \
	MOVQ DX, zero-24(SP)          \
	MOVQ coder_width(R12), R9     \
	MOVQ coder_code(R12), R10     \
	MOVQ coder_ahead(R12), R11

#define LEAVE \
	MOVQ R9, coder_width(R12)  \
	MOVQ R10, coder_code(R12)  \
	MOVQ R11, coder_ahead(R12) \
	RET

// BEGIN_STRIPE stores the mask of the stripe's rows and the end of its words.
#define BEGIN_STRIPE \
	MOVQ    p+0(FP), DI                \
	MOVL    $const_allRows, DX         \
	CMPQ    passFrame_stripes(DI), $1  \
	CMOVQEQ passFrame_lastRows(DI), DX \
	MOVQ    DX, rows-8(SP)             \
	MOVQ    passFrame_width(DI), DX    \
	LEAQ    (R13)(DX*8), DX            \
	MOVQ    DX, end-16(SP)

// NEXT_COLUMN jumps to the next column of the stripe, if there is one.
#define NEXT_COLUMN(column) \
	ADDQ $8, R13         \
	ADDQ $4, R15         \
	CMPQ R13, end-16(SP) \
	JNE  column

// NEXT_STRIPE jumps to the next stripe, if there is one: two words and three rows ahead.
#define NEXT_STRIPE(stripe) \
	MOVQ p+0(FP), DI                     \
	ADDQ $16, R13                        \
	ADDQ passFrame_stepToStripe(DI), R15 \
	DECQ passFrame_stripes(DI)           \
	JNE  stripe

// WITH_NEIGHBORS sets to to the rows of the word in AX that have significant neighbors. Other bits
// lie between them. Its Go twin is withNeighbors.
#define WITH_NEIGHBORS(to, moment) \
	MOVL AX, moment                 \
	ANDL $const_significant, moment \
	MOVL moment, to                 \
	SHRL $2, to                     \
	ORL  moment, to                 \ // what is to the left and right, from bit 3 on
	SHRL $1, moment                 \
	ORL  to, moment                 \ // all that is in a row, from bit 0 on for the row above
	SHRL $3, to                     \
	ORL  moment, to                 \
	SHRL $6, moment                 \
	ORL  moment, to

// DECODE decodes a symbol in the context SI into R14. Its Go twin is coder.symbol. It loads both
// possible next states before the symbol is known, since the next symbol of the context waits for
// the state.
#define DECODE(refill, refilled) \
	MOVQ    STATE, DI                       \
	MOVQ    $(0xFFFF<<const_widthShift), DX \
	ANDQ    DI, DX                          \ // the width of the less probable symbol's interval
	MOVL    DI, R8                          \
	ANDL    $const_transitionsMask, R8      \
	LEAQ    ·transitions(SB), R14           \
	ADDQ    R14, R8                         \
	SUBQ    DX, R9                          \
	CMPQ    R9, DX                          \
	SBBL    R14, R14                        \ // odd if the intervals are exchanged
	MOVQ    R10, BP                         \
	SUBQ    DX, R10                         \
	CMOVQCS DX, R9                          \ // the place is in the lower interval
	CMOVQCS BP, R10                         \
	ADCL    DI, R14                         \ // bit 0: the more probable symbol, changed by each of the two
	MOVQ    8(R8), BP                       \
	MOVQ    (R8), R8                        \
	ANDL    $1, R14                         \
	CMOVQNE BP, R8                          \
	LZCNTQ  R9, DX                          \
	CMOVQEQ DI, R8                          \ // nothing is learned while the interval remains wide enough
	MOVQ    R8, STATE                       \
	SHLXQ   DX, R9, R9                      \
	SHLXQ   DX, R10, R10                    \
	SUBQ    DX, R11                         \
	JMI     refill                          \
refilled:

// REFILL is the out-of-line part of a DECODE. Its Go twin is coder.refill.
#define REFILL(refill, ones, refilled) \
refill: \
	MOVL   $-1, R8                                \
	MOVQ   coder_position(R12), DI                \
	CMPQ   DI, (coder_plain+8)(R12)               \
	JGE    ones                                   \
	MOVQ   coder_plain(R12), R8                   \
	MOVL   (R8)(DI*1), R8                         \
	BSWAPL R8                                     \
ones: \
	ADDQ   $const_wordBytes, DI                   \
	MOVQ   DI, coder_position(R12)                \
	MOVL   $(const_widthShift-const_wordBits), DX \
	SUBQ   R11, DX                                \
	SHLXQ  DX, R8, R8                             \
	ADDQ   R8, R10                                \
	ADDQ   $const_wordBits, R11                   \
	JMP    refilled

// ZERO_CONTEXT sets SI to the significance context of the coefficient.
#define ZERO_CONTEXT \
	MOVQ    zero-24(SP), DI \
	SHRXQ   CX, AX, DX      \
	ANDL    $511, DX        \
	MOVBLZX (DI)(DX*1), SI

// SIGN_CONTEXT sets SI to the sign context of the coefficient. Bit 7 of CX flips the symbol.
#define SIGN_CONTEXT \
	SHRXQ   CX, AX, DX                 \
	MOVQ    DX, SI                     \
	SHRQ    $(const_signBits+1), SI    \
	ANDL    $0x55, SI                  \
	ANDL    $0xAA, DX                  \
	ORL     SI, DX                     \
	LEAQ    ·signContexts(SB), SI      \
	MOVBLZX (SI)(DX*1), SI             \
	MOVL    SI, DX                     \
	ANDL    $(1<<const_flippedBit), DX \
	ORL     DX, CX                     \
	ANDL    $const_contextMask, SI

// FOUND writes the value of a coefficient that became significant, and marks it in the field. R14
// holds the symbol of the sign. Its Go twins are initialValue and field.markSignificant.
#define FOUND \
	MOVL    CX, BP                            \
	SHRL    $const_flippedBit, BP             \
	XORL    R14, BP                           \ // 1 if negative
	ANDL    $15, CX                           \
	MOVQ    p+0(FP), DI                       \
	XORL    DX, DX                            \
	SUBL    BP, DX                            \
	MOVL    passFrame_initialValue(DI), SI           \
	XORL    DX, SI                            \
	ADDL    BP, SI                            \
	MOVQ    passFrame_stepToRow(DI)(CX*8), DX \
	MOVL    SI, (R15)(DX*1)                   \
	SHLQ    $const_signBits, BP               \
	INCQ    BP                                \
	SHLXQ   CX, BP, BP                        \ // the mark
	MOVQ    BP, DX                            \
	SHLQ    $const_aboveShift, DX             \
	ANDQ    passFrame_aboveMask(DI), DX       \
	MOVQ    BP, R8                            \
	SHRQ    $const_belowShift, R8             \
	MOVQ    $const_belowMask, SI              \
	ANDQ    SI, R8                            \
	ORQ     R8, DX                            \
	MOVQ    passFrame_stepBelow(DI), SI       \
	TESTL   CX, CX                            \
	CMOVQEQ passFrame_stepAbove(DI), SI       \
	ADDQ    R13, SI                           \
	ORQ     DX, 8(SI)                         \
	ADDQ    DX, DX                            \
	ORQ     DX, (SI)                          \
	ADDQ    DX, DX                            \
	ORQ     DX, -8(SI)                        \
	SHLQ    $const_westBit, BP                \
	ORQ     BP, 8(R13)                        \
	ADDQ    BP, BP                            \
	ORQ     BP, AX                            \
	ADDQ    BP, BP                            \
	ORQ     BP, -8(R13)
