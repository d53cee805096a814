package main

import (
	"context"
	"net/http"
	"net/url"

	"tileserver/source/web"
)

// unusable is the service of a scheme for which the environment says what cannot be. That matters to nobody
// who has no address of it.
type unusable struct{ err error }

var _ web.Service = unusable{}

// Canonical returns the address.
func (unusable) Canonical(path string) string { return path }

// Locate fails.
func (u unusable) Locate(string) (*url.URL, error) { return nil, u.err }

// Sign fails.
func (u unusable) Sign(context.Context, *http.Request) error { return u.err }

// Learn learns nothing.
func (unusable) Learn(context.Context, web.Refusal) bool { return false }
