// Package integration tests the whole program: that the house stands as
// ARCHITECTURE.md draws it, and that what goes in at the command line or at an
// address comes out as it should. It holds nothing but tests.
package integration
