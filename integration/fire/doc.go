// Package fire tests that nobody's slow client, slow disk or dear request hurts anybody else. Tests of
// time run handlers on a simulated clock. Tests of memory run the whole program as a process, and
// read its memory from /proc, so they run on Linux.
package fire
