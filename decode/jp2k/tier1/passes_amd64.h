// The macros of the passes in assembly. A pass goes through one block or through two, in turns of one
// coefficient. A symbol waits for the one before it in its block, so two blocks take less than twice
// the time of one.
//
// Each block has a lane: a part of the stack at the offset L, and four registers:
//
//	T  what is left of the group, in the form of its masks
//	A  coder.width
//	C  coder.code, with a mark of 1 after the bits that were read ahead: they are too few once the lower
//	   half is 0
//	P  address of the first of the group's slots in field.around
//
// Both lanes share
//
//	CX   the bit of the coefficient in the group's masks; bit 7 flips the symbol of the sign
//	SI   the context of the symbol
//	R14  the decoded symbol
//	DX, DI, BP, R8  scratch

// The part of a lane begins with the contexts: as many as there are, and one that fills the last move.
#define STATE(L) (L)(SP)(SI*8)
#define POSITION(L) (L+168)(SP) // coder.position
#define PLAIN(L) (L+176)(SP)    // address of coder.plain, and its length
#define LENGTH(L) (L+184)(SP)
#define FRAME(L) (L+192)(SP)
#define ZERO(L) (L+200)(SP)   // the table of significance contexts
#define GROUP(L) (L+208)(SP)  // address of the group
#define LEFT(L) (L+216)(SP)   // groups that are left in its stripe
#define VALUES(L) (L+224)(SP) // address of the values of slots, less twice that of field.around
#define MASK(L) (L+232)(SP)   // significance: what is visited; refinement: what was refined before; cleanup: the quiet columns
#define BESIDES(L) (L+240)(SP) // refinement: what has significant neighbors and was not refined before

// ENTER loads a lane from the frame in DI, so that its group is the one before the first.
#define ENTER(L, T, A, C, P) \
	MOVQ  DI, FRAME(L)                    \
	MOVQ  passFrame_coder(DI), SI         \
	MOVOU (coder_contexts+0)(SI), X0      \
	MOVOU (coder_contexts+16)(SI), X1     \
	MOVOU (coder_contexts+32)(SI), X2     \
	MOVOU (coder_contexts+48)(SI), X3     \
	MOVOU (coder_contexts+64)(SI), X4     \
	MOVOU (coder_contexts+80)(SI), X5     \
	MOVOU (coder_contexts+96)(SI), X6     \
	MOVOU (coder_contexts+112)(SI), X7    \
	MOVOU (coder_contexts+128)(SI), X8    \
	MOVOU (coder_contexts+144)(SI), X9    \
	MOVOU X0, (L+0)(SP)                   \
	MOVOU X1, (L+16)(SP)                  \
	MOVOU X2, (L+32)(SP)                  \
	MOVOU X3, (L+48)(SP)                  \
	MOVOU X4, (L+64)(SP)                  \
	MOVOU X5, (L+80)(SP)                  \
	MOVOU X6, (L+96)(SP)                  \
	MOVOU X7, (L+112)(SP)                 \
	MOVOU X8, (L+128)(SP)                 \
	MOVOU X9, (L+144)(SP)                 \
	MOVQ  coder_position(SI), DX          \
	MOVQ  DX, POSITION(L)                 \
	MOVQ  coder_plain(SI), DX             \
	MOVQ  DX, PLAIN(L)                    \
	MOVQ  (coder_plain+8)(SI), DX         \
	MOVQ  DX, LENGTH(L)                   \
	MOVQ  coder_width(SI), A              \
	MOVQ  coder_code(SI), C               \
	MOVL  $(const_widthShift-1), DX       \
	SUBQ  coder_ahead(SI), DX             \
	BTSQ  DX, C                           \
	MOVQ  passFrame_zero(DI), DX          \
	MOVQ  DX, ZERO(L)                     \
	MOVQ  passFrame_groups(DI), DX        \
	SUBQ  $group__size, DX                \
	MOVQ  DX, GROUP(L)                    \
	MOVQ  passFrame_width(DI), DX         \
	INCQ  DX                              \
	MOVQ  DX, LEFT(L)                     \
	MOVQ  passFrame_around(DI), P         \
	LEAQ  (P)(P*1), DX                    \
	MOVQ  passFrame_values(DI), SI        \
	SUBQ  DX, SI                          \
	MOVQ  SI, VALUES(L)                   \
	SUBQ  $(2*const_groupSlots), P        \
	MOVQ  $0, MASK(L)                     \
	XORL  T, T

// LEAVE stores what a lane has changed.
#define LEAVE(L, A, C) \
	MOVQ  FRAME(L), DI                    \
	MOVQ  passFrame_coder(DI), SI         \
	MOVOU (L+0)(SP), X0                   \
	MOVOU (L+16)(SP), X1                  \
	MOVOU (L+32)(SP), X2                  \
	MOVOU (L+48)(SP), X3                  \
	MOVOU (L+64)(SP), X4                  \
	MOVOU (L+80)(SP), X5                  \
	MOVOU (L+96)(SP), X6                  \
	MOVOU (L+112)(SP), X7                 \
	MOVOU (L+128)(SP), X8                 \
	MOVOU (L+144)(SP), X9                 \
	MOVOU X0, (coder_contexts+0)(SI)      \
	MOVOU X1, (coder_contexts+16)(SI)     \
	MOVOU X2, (coder_contexts+32)(SI)     \
	MOVOU X3, (coder_contexts+48)(SI)     \
	MOVOU X4, (coder_contexts+64)(SI)     \
	MOVOU X5, (coder_contexts+80)(SI)     \
	MOVOU X6, (coder_contexts+96)(SI)     \
	MOVOU X7, (coder_contexts+112)(SI)    \
	MOVOU X8, (coder_contexts+128)(SI)    \
	MOVOU X9, (coder_contexts+144)(SI)    \
	TZCNTQ C, DX                          \
	BTRQ  DX, C                           \
	NEGQ  DX                              \
	ADDQ  $(const_widthShift-1), DX       \
	MOVQ  DX, coder_ahead(SI)             \
	MOVQ  POSITION(L), DX                 \
	MOVQ  DX, coder_position(SI)          \
	MOVQ  A, coder_width(SI)              \
	MOVQ  C, coder_code(SI)

// NEXT_GROUP goes to the next group, or jumps to done if there is none. It loads the address of the
// group into DI.
#define NEXT_GROUP(L, P, group, done) \
	ADDQ $(2*const_groupSlots), P         \
	ADDQ $group__size, GROUP(L)           \
	DECQ LEFT(L)                          \
	JNE  group                            \
	MOVQ FRAME(L), DI                     \
	ADDQ passFrame_toStripe(DI), P        \
	ADDQ $(2*group__size), GROUP(L)       \
	MOVQ passFrame_width(DI), DX          \
	MOVQ DX, LEFT(L)                      \
	DECQ passFrame_stripes(DI)            \
	JEQ  done                             \
group: \
	MOVQ GROUP(L), DI

// BESIDE sets own to what is significant in the group at an address, and to to what is significant to
// the left or right of each coefficient. Its Go twin is field.beside.
#define BESIDE(at, own, to, scratch) \
	MOVQ group_significant(at), own                   \
	MOVQ own, to                                      \
	SHLQ $const_stripeRows, to                        \
	MOVQ own, scratch                                 \
	SHRQ $const_stripeRows, scratch                   \
	ORQ  scratch, to                                  \
	MOVQ (group_significant-group__size)(at), scratch \
	SHRQ $const_lastColumn, scratch                   \
	ORQ  scratch, to                                  \
	MOVQ (group_significant+group__size)(at), scratch \
	SHLQ $const_lastColumn, scratch                   \
	ORQ  scratch, to

// WITH_NEIGHBORS sets DX to what has significant neighbors in the group at DI, and SI to what is
// significant. It uses CX, BP, R8 and R14. Its Go twin is field.withNeighbors.
#define WITH_NEIGHBORS(L) \
	MOVQ  FRAME(L), CX                  \
	MOVQ  DI, R14                       \
	SUBQ  passFrame_groupStride(CX), R14 \
	BESIDE(R14, BP, DX, R8)             \ // above
	ORQ   BP, DX                        \
	SHRQ  $const_lastRow, DX            \
	MOVQ  $const_firstRows, R8          \
	ANDQ  R8, DX                        \
	MOVQ  DI, R14                       \
	ADDQ  passFrame_groupStride(CX), R14 \
	BESIDE(R14, BP, SI, R8)             \ // below
	ORQ   BP, SI                        \
	SHLQ  $const_lastRow, SI            \
	ANDQ  passFrame_fromBelow(CX), SI   \
	ORQ   SI, DX                        \
	BESIDE(DI, SI, BP, R8)              \
	ORQ   BP, DX                        \
	ORQ   SI, BP                        \
	MOVQ  BP, R14                       \
	SHLQ  $1, R14                       \
	MOVQ  $const_firstRows, R8          \
	ANDNQ R14, R8, R14                  \
	ORQ   R14, DX                       \
	SHRQ  $1, BP                        \
	SHLQ  $const_lastRow, R8            \
	ANDNQ BP, R8, BP                    \
	ORQ   BP, DX

// ZERO_CONTEXT sets SI to the significance context of the coefficient.
#define ZERO_CONTEXT(L, P) \
	MOVQ    ZERO(L), DI     \
	MOVBLZX (P)(CX*2), DX   \
	MOVBLZX (DI)(DX*1), SI

// SIGN_CONTEXT sets SI to the sign context of the coefficient. Bit 7 of CX flips the symbol.
#define SIGN_CONTEXT(P) \
	MOVWLZX (P)(CX*2), DX              \
	SHRL    $const_straightBits, DX    \
	LEAQ    ·signContexts(SB), SI      \
	MOVBLZX (SI)(DX*1), SI             \
	MOVL    SI, DX                     \
	ANDL    $(1<<const_flippedBit), DX \
	ORL     DX, CX                     \
	ANDL    $const_contextMask, SI

// BECOME writes the value of a coefficient that became significant, and tells its neighbors. R14 holds
// the symbol of the sign. It leaves the address of the group in DI. Its Go twin is scan.become.
#define BECOME(L, P, told) \
	MOVL  CX, DX                           \
	SHRL  $const_flippedBit, DX            \
	XORL  DX, R14                          \ // 1 if negative
	ANDL  $(const_groupSlots-1), CX        \
	MOVQ  FRAME(L), DI                     \
	MOVL  R14, DX                          \
	SHLL  $31, DX                          \
	ORL   passFrame_initialValue(DI), DX   \
	MOVQ  VALUES(L), R8                    \
	LEAQ  (R8)(P*2), R8                    \
	MOVL  DX, (R8)(CX*4)                   \
	MOVL  CX, DX                           \
	ANDL  $const_lastRow, DX               \
	LEAQ  (P)(CX*2), SI                    \
	MOVQ  passFrame_below(DI)(DX*8), BP    \
	ADDQ  SI, BP                           \
	MOVQ  passFrame_above(DI)(DX*8), R8    \
	MOVQ  GROUP(L), DI                     \
	MOVL  $1, DX                           \
	SHLXQ CX, DX, DX                       \
	ORQ   DX, group_significant(DI)        \
	SHLL  $const_signBits, R14             \
	INCL  R14                              \
	SHLL  $const_straightBits, R14         \
	ORW   R14, (BP)                        \ // the one below has it in the north
	ORW   $const_northEast, -8(BP)         \
	ORW   $const_northWest, 8(BP)          \
	ADDL  R14, R14                         \
	ORW   R14, 8(SI)                       \
	ADDL  R14, R14                         \
	ORW   R14, -8(SI)                      \
	TESTQ R8, R8                           \
	JEQ   told                             \
	ADDQ  SI, R8                           \
	ADDL  R14, R14                         \
	ORW   R14, (R8)                        \
	ORW   $const_southEast, -8(R8)         \
	ORW   $const_southWest, 8(R8)          \
told:

// SIGNIFICANCE codes a coefficient of a significance pass. Its Go twin is significancePass.
#define SIGNIFICANCE(L, T, A, C, P, endGroup, coefficient, found, next, refill, refilled) \
	TESTQ  T, T                      \
	JEQ    endGroup                  \
coefficient: \
	TZCNTQ T, CX                     \
	BLSRQ  T, T                      \
	ZERO_CONTEXT(L, P)               \
	DECODE(L, A, C, refill, refilled) \
	TESTL  R14, R14                  \
	JNE    found                     \
next:

// SIGNIFICANCE_REST is the out-of-line part of SIGNIFICANCE.
#define SIGNIFICANCE_REST(L, T, A, C, P, endGroup, group, coefficient, found, next, done, refill, ones, refilled, told, refillSign, onesSign, refilledSign) \
endGroup: \
	MOVQ  GROUP(L), DI               \
	MOVQ  MASK(L), DX                \
	MOVQ  DX, group_visited(DI)      \
	NEXT_GROUP(L, P, group, done)    \
	WITH_NEIGHBORS(L)                \
	ANDNQ DX, SI, T                  \
	ANDQ  group_inside(DI), T        \
	MOVQ  T, MASK(L)                 \
	JEQ   endGroup                   \
	JMP   coefficient                \
found: \
	SIGN_CONTEXT(P)                  \
	DECODE(L, A, C, refillSign, refilledSign) \
	BECOME(L, P, told)                \
	MOVL  CX, DX                     \ // what follows now has a significant neighbor
	ANDL  $const_lastRow, DX         \
	LEAQ  ·following(SB), SI         \
	MOVQ  (SI)(DX*8), DX             \
	ANDL  $const_columnBits, CX      \
	SHLXQ CX, DX, DX                 \
	ANDQ  group_inside(DI), DX       \
	MOVQ  group_significant(DI), SI  \
	ANDNQ DX, SI, DX                 \
	ORQ   DX, T                      \
	ORQ   DX, MASK(L)                \
	JMP   next                       \
	REFILL(L, C, refill, ones, refilled) \
	REFILL(L, C, refillSign, onesSign, refilledSign)

// REFINEMENT codes a coefficient of a refinement pass. Its Go twin is refinementPass. The value
// grows after a 1 and shrinks after a 0.
#define REFINEMENT(L, T, A, C, P, endGroup, coefficient, refill, refilled) \
	TESTQ  T, T                      \
	JEQ    endGroup                  \
coefficient: \
	TZCNTQ T, CX                     \
	BLSRQ  T, T                      \
	SHRXQ  CX, MASK(L), SI           \
	SHRXQ  CX, BESIDES(L), DX         \
	ANDL   $1, SI                    \
	ANDL   $1, DX                    \
	LEAL   const_magnitudeContext(DX)(SI*2), SI \
	DECODE(L, A, C, refill, refilled) \
	MOVQ   FRAME(L), DI              \
	MOVQ   passFrame_number(DI), BP   \
	MOVQ   VALUES(L), DX             \
	LEAQ   (DX)(P*2), DX             \
	LEAL   -1(R14)(R14*1), R14       \
	SHLXL  BP, R14, R14              \
	ADDL   R14, (DX)(CX*4)

// REFINEMENT_REST is the out-of-line part of REFINEMENT.
#define REFINEMENT_REST(L, T, A, C, P, endGroup, group, coefficient, done, refill, ones, refilled) \
endGroup: \
	NEXT_GROUP(L, P, group, done)    \
	MOVQ  group_significant(DI), T   \
	MOVQ  group_visited(DI), DX      \
	ANDNQ T, DX, T                   \
	JEQ   endGroup                   \
	WITH_NEIGHBORS(L)                \
	MOVQ  group_refined(DI), R8      \
	MOVQ  R8, MASK(L)                \
	ANDNQ DX, R8, DX                 \
	MOVQ  DX, BESIDES(L)              \
	ORQ   T, R8                      \
	MOVQ  R8, group_refined(DI)      \
	JMP   coefficient                \
	REFILL(L, C, refill, ones, refilled)

// CLEANUP codes a coefficient of a cleanup pass. Its Go twin is cleanupPass.
#define CLEANUP(L, T, A, C, P, endGroup, coefficient, quiet, found, next, refill, refilled) \
	TESTQ  T, T                      \
	JEQ    endGroup                  \
coefficient: \
	TZCNTQ T, CX                     \
	BLSRQ  T, T                      \
	MOVQ   MASK(L), DX               \
	BTQ    CX, DX                    \
	JCS    quiet                     \
	ZERO_CONTEXT(L, P)               \
	DECODE(L, A, C, refill, refilled) \
	TESTL  R14, R14                  \
	JNE    found                     \
next:

// QUIET decodes whether a quiet column remains quiet. It usually does, and the interval usually remains
// wide enough, so that has a short path. If not, two symbols give the row of the first significant
// coefficient, and the rows below it are left.
#define QUIET(L, T, A, C, run, found, next, refillRun, refilledRun, refillHigh, refilledHigh, refillLow, refilledLow) \
	MOVL  $const_runContext, SI      \
	MOVQ  STATE(L), DX               \
	MOVQ  DX, DI                     \
	SHRQ  $const_widthShift, DX      \
	SHLQ  $const_widthShift, DX      \
	CMPQ  C, DX                      \
	JCS   run                        \
	MOVQ  A, R8                      \
	SUBQ  DX, R8                     \
	JPL   run                        \
	TESTL $1, DI                     \
	JNE   run                        \
	MOVQ  R8, A                      \
	SUBQ  DX, C                      \
	JMP   next                       \
run: \
	DECODE(L, A, C, refillRun, refilledRun) \
	TESTL R14, R14                   \
	JEQ   next                       \
	MOVL  $const_columnMask, DX      \
	SHLXQ CX, DX, DX                 \
	ORQ   DX, T                      \
	MOVL  $const_uniformContext, SI  \
	DECODE(L, A, C, refillHigh, refilledHigh) \
	LEAL  (CX)(R14*2), CX            \
	DECODE(L, A, C, refillLow, refilledLow) \
	ADDL  R14, CX                    \
	MOVQ  $-2, DX                    \
	SHLXQ CX, DX, DX                 \
	ANDQ  DX, T                      \
	JMP   found

// CLEANUP_REST is the out-of-line part of CLEANUP, but for the label of QUIET.
#define CLEANUP_REST(L, T, A, C, P, endGroup, group, coefficient, found, next, done, refill, ones, refilled, told, refillSign, onesSign, refilledSign) \
endGroup: \
	NEXT_GROUP(L, P, group, done)    \
	WITH_NEIGHBORS(L)                \
	ORQ   SI, DX                     \
	MOVQ  group_inside(DI), T        \
	MOVQ  T, R8                      \
	NOTQ  R8                         \
	ORQ   R8, DX                     \
	MOVQ  DX, R8                     \
	SHRQ  $1, R8                     \
	ORQ   R8, DX                     \
	MOVQ  DX, R8                     \
	SHRQ  $2, R8                     \
	ORQ   R8, DX                     \
	MOVQ  $const_firstRows, R8       \
	ANDNQ R8, DX, R8                 \
	MOVQ  R8, MASK(L)                \
	ANDNQ T, SI, T                   \
	MOVQ  group_visited(DI), DX      \
	ANDNQ T, DX, T                   \
	MOVQ  $0, group_visited(DI)      \
	LEAQ  (R8)(R8*1), DX             \ // the first row stands for a quiet column
	SHLQ  $const_stripeRows, R8      \
	SUBQ  DX, R8                     \
	ANDNQ T, R8, T                   \
	JEQ   endGroup                   \
	JMP   coefficient                \
found: \
	SIGN_CONTEXT(P)                  \
	DECODE(L, A, C, refillSign, refilledSign) \
	BECOME(L, P, told)                \
	ANDL  $const_columnBits, CX      \ // the next column is no longer quiet
	MOVL  $1, DX                     \
	SHLXQ CX, DX, DX                 \
	SHLQ  $const_stripeRows, DX      \
	ANDQ  MASK(L), DX                \
	XORQ  DX, MASK(L)                \
	MOVQ  DX, SI                     \
	SHLQ  $const_stripeRows, SI      \
	SUBQ  DX, SI                     \
	ORQ   SI, T                      \
	JMP   next                       \
	REFILL(L, C, refill, ones, refilled) \
	REFILL(L, C, refillSign, onesSign, refilledSign)
