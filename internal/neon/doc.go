// Package neon names instructions of arm64 that Go's assembler lacks, in a header for assembly. It
// has no Go code. A test compares the header with the assembler of GNU.
package neon
