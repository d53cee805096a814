// Package export makes all tiles of layers, as a server would send them. Command export calls it. The
// package owns the options of the command, which tiles there are, and how tiles are asked of a catalog.
// Package export of the module has the work itself. It must never know how a server is configured.
package export
