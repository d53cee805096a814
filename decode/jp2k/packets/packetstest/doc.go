// Package packetstest writes the packets of tiles for tests: headers, bodies and markers, in any
// order and style. It follows the standard literally and slowly, and shares nothing with package
// packets.
package packetstest
