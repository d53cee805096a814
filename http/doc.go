// Package http is the HTTP interface of the server. It routes requests to the handlers of the
// protocols below it, and surrounds them with what all requests need: proxies, limits, the log and
// metrics. cmd/tileserver calls NewHandler for the public listener and NewAdminHandler for the
// listener of operators. The package must never know what a protocol says, nor pixels or files.
//
// # Words
//
//   - A handler answers a route.
//   - An exchange is a request with its response.
//   - A document is a text response: XML, JSON or HTML.
//   - A picture is an encoded image.
package http
