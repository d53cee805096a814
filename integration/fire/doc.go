// Package fire tests that nobody's slow client, slow disk or dear request hurts anybody else.
package fire
