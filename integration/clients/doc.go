// Package clients runs the map clients that people use against the whole program:
// each reads layers whose pixels follow from their place, and what it shows is
// compared with what must be there. It holds nothing but tests, and the pages and
// scripts that they run; a test whose client is not installed is skipped, loudly.
package clients
