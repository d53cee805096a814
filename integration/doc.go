// Package integration tests the whole program. It checks that the packages import each other as
// ARCHITECTURE.md says, and that commands and HTTP requests give the right results. It contains
// only tests.
package integration
