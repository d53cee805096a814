// Package display renders samples as pictures. It chooses bands, computes values from them,
// stretches them to eight bits and colors them. Packages layer and http call it.
// It must never know a file format, a map projection, HTTP or how a tile was assembled.
//
// Words:
//
//   - A Spec is the style that a request asks for. The zero Spec asks for the default style.
//   - A Resolved is a Spec resolved for one dataset: which bands, which stretch, which colors.
//   - Statistics are computed once per dataset. Every process computes the same ones.
//   - A Chain is a Resolved compiled into tables. It renders any number of tiles concurrently.
//   - A Picture holds pixels whose colors are not premultiplied; an Encoder makes a file of it.
package display
