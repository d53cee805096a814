// Package floor compares the speed of the decoders with that of C libraries on the same blocks. Its
// benchmark needs the build tag "floor", a C compiler, and the headers of libtiff, libjpeg-turbo
// and libdeflate: run `make bench-codecs`.
package floor
