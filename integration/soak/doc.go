// Soak attacks a server for minutes or hours with everything at once, at twice of what it can answer:
// cheap and dear pictures, clients that read slowly or hang up, files that are replaced, written in
// place, added and removed, reloads, and mistakes. It watches memory, descriptors, goroutines and
// times, and compares a sample of the answers with those of a quiet server afterwards. Its exit code
// is 1 if a promise was broken. Times are told, and those of cached answers must not grow during an
// attack of ten minutes or more. It must know the program by its command line and its addresses alone,
// and reads /proc, so it needs Linux.
//
// A kind is a sort of requests; the traffic sends them; a witness is an answer that is remembered for
// the comparison.
package main
