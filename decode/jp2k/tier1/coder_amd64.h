// The macros of the coder. Their registers and their stack are those of passes_amd64.h.

// DECODE decodes a symbol in the context SI into R14. Its Go twin is coder.symbol. It loads both
// possible next states before the symbol is known, since the next symbol of the context waits for
// the state.
#define DECODE(L, A, C, refill, refilled) \
	MOVQ    STATE(L), DI                    \
	MOVL    DI, R8                          \
	MOVQ    DI, DX                          \
	XORQ    R8, DX                          \ // the width of the less probable symbol's interval
	ANDL    $const_transitionsMask, R8      \
	LEAQ    ·transitions(SB), R14           \
	ADDQ    R14, R8                         \
	SUBQ    DX, A                           \
	CMPQ    A, DX                           \
	SBBL    R14, R14                        \ // odd if the intervals are exchanged
	MOVQ    C, BP                           \
	SUBQ    DX, C                           \
	CMOVQCS DX, A                           \ // the place is in the lower interval
	CMOVQCS BP, C                           \
	ADCL    DI, R14                         \ // bit 0: the more probable symbol, changed by each of the two
	MOVQ    8(R8), BP                       \
	MOVQ    (R8), R8                        \
	ANDL    $1, R14                         \
	CMOVQNE BP, R8                          \
	LZCNTQ  A, DX                           \
	CMOVQEQ DI, R8                          \ // nothing is learned while the interval remains wide enough
	MOVQ    R8, STATE(L)                    \
	SHLXQ   DX, A, A                        \
	SHLXQ   DX, C, C                        \
	TESTL   C, C                            \
	JEQ     refill                          \
refilled:

// REFILL is the out-of-line part of a DECODE. Its Go twin is coder.refill.
#define REFILL(L, C, refill, ones, refilled) \
refill: \
	MOVL   $-1, R8               \
	MOVQ   POSITION(L), DI       \
	CMPQ   DI, LENGTH(L)         \
	JGE    ones                  \
	MOVQ   PLAIN(L), R8          \
	MOVL   (R8)(DI*1), R8        \
	BSWAPL R8                    \
ones: \
	ADDQ   $const_wordBytes, DI  \
	MOVQ   DI, POSITION(L)       \
	TZCNTQ C, DX                 \
	BTRQ   DX, C                 \
	LEAQ   1(R8)(R8*1), R8       \ // the mark follows the word
	SUBQ   $const_wordBits, DX   \
	SHLXQ  DX, R8, R8            \
	ADDQ   R8, C                 \
	JMP    refilled
