// Package library keeps the layers of a catalog in step with what is desired: files, the files in
// folders, and layers with settings. The server starts it, applies a changed configuration, and has
// it watch the folders. It owns which layers are served, and their ids. It must never know how a
// configuration is written, what is in a file, nor HTTP.
//
// The way of a file:
//
//   - scan: folders.go lists the files in folders, by their names; scans.go does so for each path at
//     the same time.
//   - list: state.go makes of settings, paths and scans the list of all desired layers, and ids.go
//     gives them ids (naming.go, accents.go) that never lead to another file.
//   - settle: pending.go holds the layers without an open file, until its writing has ended.
//   - open: openfiles.go opens some files of a storage at a time; openings.go does so for each storage in
//     the background.
//   - reconcile: library.go removes what is no longer desired, and publishes what is open.
//   - watch: watch.go does each of these when it is due, and rescan.go when somebody asks.
//
// Words: a *desired layer* is one that should be served; a *named* one is written in the
// configuration or on the command line, others are found by scans. A *pending* file is not open: a
// *ready* one may be opened now, a *waiting* one may still be written to, or failed. An *origin* is an
// image with the folder that its id is relative to. A *place* is where an entry is written.
package library
