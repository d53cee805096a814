// Package answer sends the answers of handlers: bodies with their headers, validators, byte ranges
// and compressed forms, and errors with their statuses. The handlers of all protocols call it, and
// package http, whose middleware logs and counts what was sent. It owns the one table from error
// codes to statuses. It must never know a protocol: a protocol gives the format of its errors, and
// the text of its documents.
//
// # Words
//
//   - An exchange is a request with its response.
//   - A handler answers a route.
//   - Content is a complete response body with the values of its headers.
//   - A failure is an error as the client sees it.
package answer
