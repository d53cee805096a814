// What the passes in assembly are made of. They keep
//
//	AX   the word of the column        R8, BP, DI, DX  what is needed for a moment
//	BX   the rows of it that are left  R9, R10, R11    the coder's width, place and ahead
//	CX   the row, times three          R12             the coder
//	SI   the context of a symbol       R13             where the word is
//	R14  the symbol                    R15             where the column's coefficients are
//
// On the stack are the rows of the stripe, where its words end, and the contexts of significance.

#define STATE coder_contexts(R12)(SI*8)

#define ENTER \
	MOVQ p+0(FP), DI              \
	MOVQ passFrame_coder(DI), R12 \
	MOVQ passFrame_words(DI), R13 \
	MOVQ passFrame_out(DI), R15   \
	MOVQ passFrame_zero(DI), DX   \
	MOVQ DX, zero-24(SP)          \
	MOVQ coder_width(R12), R9     \
	MOVQ coder_place(R12), R10    \
	MOVQ coder_ahead(R12), R11

#define LEAVE \
	MOVQ R9, coder_width(R12)  \
	MOVQ R10, coder_place(R12) \
	MOVQ R11, coder_ahead(R12) \
	RET

// BEGIN_STRIPE notes which rows a stripe has and where its words end.
#define BEGIN_STRIPE \
	MOVQ    p+0(FP), DI                \
	MOVL    $const_allRows, DX         \
	CMPQ    passFrame_stripes(DI), $1  \
	CMOVQEQ passFrame_lastRows(DI), DX \
	MOVQ    DX, rows-8(SP)             \
	MOVQ    passFrame_width(DI), DX    \
	LEAQ    (R13)(DX*8), DX            \
	MOVQ    DX, end-16(SP)

// NEXT_COLUMN goes on with the next column of the stripe.
#define NEXT_COLUMN(column) \
	ADDQ $8, R13         \
	ADDQ $4, R15         \
	CMPQ R13, end-16(SP) \
	JNE  column

// NEXT_STRIPE goes on with the next stripe: two words and three rows ahead.
#define NEXT_STRIPE(stripe) \
	MOVQ p+0(FP), DI                     \
	ADDQ $16, R13                        \
	ADDQ passFrame_stepToStripe(DI), R15 \
	DECQ passFrame_stripes(DI)           \
	JNE  stripe

// NEIGHBOURED leaves in to the rows of the word in AX that have significant neighbours, with other bits between them.
#define NEIGHBOURED(to, moment) \
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

// DECODE is the coder's symbol, for the context in SI. It leaves the symbol in R14. Both states that may follow are loaded before it is
// known, as the next symbol of the context waits for one.
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

// REFILL is the coder's refill, for a DECODE.
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

// ZERO_CONTEXT finds the context of whether the coefficient becomes significant.
#define ZERO_CONTEXT \
	MOVQ    zero-24(SP), DI \
	SHRXQ   CX, AX, DX      \
	ANDL    $511, DX        \
	MOVBLZX (DI)(DX*1), SI

// SIGN_CONTEXT finds the context of the coefficient's sign. Bit 7 of CX flips it.
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

// FOUND writes the value of a coefficient that became significant, with the sign of the symbol in R14, and notes what it is to all
// around it, as the field's signify.
#define FOUND \
	MOVL    CX, BP                            \
	SHRL    $const_flippedBit, BP             \
	XORL    R14, BP                           \ // 1 if negative
	ANDL    $15, CX                           \
	MOVQ    p+0(FP), DI                       \
	XORL    DX, DX                            \
	SUBL    BP, DX                            \
	MOVL    passFrame_found(DI), SI           \
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
