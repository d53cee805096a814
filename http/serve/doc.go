// Package serve answers with what a catalog has: pictures in all their forms, and documents about
// many layers. The handlers of all protocols are written with it. It owns what they share of the
// operator's configuration, the addresses under which clients see the server, how long clients may
// cache a picture, and the date of the last change. It must never know a protocol.
package serve
