// Package http is the HTTP interface of the server. It parses addresses into typed requests to
// package layer and writes the results as responses, with validators, error codes, logs and
// metrics. cmd/tileserver calls NewHandler for the public listener and NewAdminHandler for the
// listener of operators. The package must never know pixels, blocks or files.
//
// # Words
//
//   - A handler answers a route.
//   - An exchange is a request with its response.
//   - A document is a text response: XML, JSON or HTML.
//   - A picture is an encoded image.
package http
