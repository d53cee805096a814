// Package floor holds the decoders against what C needs for the same blocks. Its
// benchmark asks for the tag "floor", a C compiler and the headers of libtiff,
// libjpeg-turbo and libdeflate: `make bench-codecs`.
package floor
