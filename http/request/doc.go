// Package request reads requests: the parameters of a query with their areas, sizes, formats and
// styles, and the addresses of tiles in a path. The handlers of all protocols call it, and the
// command line, which takes the same parameters. It owns the names of other servers' parameters and
// the hints about misspelled ones. It must never know a protocol, nor what is served.
package request
