// Package floor compares the speed of the decoders with that of C libraries on the same blocks, and the
// speed of the program with that of OpenJPH on the same images. Its benchmarks need the build tag "floor",
// a C compiler, the headers of libtiff, libjpeg-turbo and libdeflate, and the programs of openjph-tools:
// run `make bench-codecs`.
package floor
