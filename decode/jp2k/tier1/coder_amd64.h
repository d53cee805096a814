// The macros of the coder. Their registers and their stack are those of passes_amd64.h.

// DECODE decodes a symbol in the context SI into R14. Its Go twin is coder.symbol. The lower 48 bits of a
// state are the address of the two that may follow. They are loaded before the symbol is known, since the
// next symbol of the context waits for the state.
#define DECODE(L, A, C, refill, refilled) \
	MOVQ    STATE(L), DI                    \
	MOVWLZX LPS(L), DX                      \
	SHLQ    $const_widthShift, DX           \ // the width of the less probable symbol's interval
	MOVL    $const_widthShift, R8           \
	BZHIQ   R8, DI, R8                      \
	SUBQ    DX, A                           \
	CMPQ    A, DX                           \
	SBBL    R14, R14                        \ // odd if the intervals are exchanged
	MOVQ    C, BP                           \
	SUBQ    DX, C                           \
	CMOVQCS DX, A                           \ // the place is in the lower interval
	CMOVQCS BP, C                           \
	ADCL    DI, R14                         \ // bit 0: the more probable symbol, changed by each of the two
	MOVQ    (R8), BP                        \
	ANDL    $1, R14                         \
	CMOVQNE 8(R8), BP                       \
	LZCNTQ  A, DX                           \
	CMOVQEQ DI, BP                          \ // nothing is learned while the interval remains wide enough
	MOVQ    BP, STATE(L)                    \
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
