// Package http speaks HTTP: it turns addresses into typed requests for pictures
// and descriptions of layers, and what comes back into answers, with validators,
// error codes, logs and metrics. It must never know pixels, blocks or files.
//
// NewHandler is for the public, NewAdminHandler for operators on a listener of
// its own.
package http
