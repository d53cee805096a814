//go:build !purego

#include "textflag.h"
#include "vectors_amd64.h"

// func lessVectors(to, a, b, c *float64, steps int)
TEXT ·lessVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST(ONE, X15, Y15)

turn:
	COMPARISON($0x11)
	JNZ turn
	VZEROUPPER
	RET

// func lessOrEqualVectors(to, a, b, c *float64, steps int)
TEXT ·lessOrEqualVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST(ONE, X15, Y15)

turn:
	COMPARISON($0x12)
	JNZ turn
	VZEROUPPER
	RET

// func equalVectors(to, a, b, c *float64, steps int)
TEXT ·equalVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST(ONE, X15, Y15)

turn:
	COMPARISON($0)
	JNZ turn
	VZEROUPPER
	RET

// func notEqualVectors(to, a, b, c *float64, steps int)
TEXT ·notEqualVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST(ONE, X15, Y15)

turn:
	COMPARISON($4)
	JNZ turn
	VZEROUPPER
	RET

// func andVectors(to, a, b, c *float64, steps int)
TEXT ·andVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	BINARY(VANDPD)
	JNZ turn
	VZEROUPPER
	RET

// func orVectors(to, a, b, c *float64, steps int)
TEXT ·orVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	BINARY(VORPD)
	JNZ turn
	VZEROUPPER
	RET

// func notVectors(to, a, b, c *float64, steps int)
TEXT ·notVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST(ONE, X15, Y15)

turn:
	WITH_MASK(VXORPD)
	JNZ turn
	VZEROUPPER
	RET

// The highest bit of the pattern of 1 goes to the front, where the choice is made by it.

// func chooseVectors(to, a, b, c *float64, steps int)
TEXT ·chooseVectors(SB), NOSPLIT, $0-40
	BEGIN

turn:
	LOAD_A
	VPSLLQ    $2, Y0, Y0
	VPSLLQ    $2, Y1, Y1
	VMOVUPD   (R8)(BX*1), Y2
	VMOVUPD   32(R8)(BX*1), Y3
	VBLENDVPD Y0, (DX)(BX*1), Y2, Y2
	VBLENDVPD Y1, 32(DX)(BX*1), Y3, Y3
	STORE(Y2, Y3)
	JNZ       turn
	VZEROUPPER
	RET

// func isNaNVectors(to, a, b, c *float64, steps int)
TEXT ·isNaNVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST(ONE, X15, Y15)

turn:
	LOAD_A
	VCMPPD $3, Y0, Y0, Y0
	VCMPPD $3, Y1, Y1, Y1
	VANDPD Y15, Y0, Y0
	VANDPD Y15, Y1, Y1
	STORE(Y0, Y1)
	JNZ    turn
	VZEROUPPER
	RET
