// Package packetstest writes the packets of tiles for tests: headers, bodies and markers, in any order and style. It goes by the
// letter of the standard, however slowly, and shares nothing with what reads packets.
package packetstest
