package http

import (
	"hash/maphash"
	"net/http"
	"net/netip"

	"tileserver/http/clients"
)

// identifyClients returns a function that tells clients apart: by who they are for the limits of clients, and
// by the program that they use, since several people may share an address.
func identifyClients(header string, trusted []netip.Prefix) func(*http.Request) uint64 {
	type identity struct {
		client  clients.Client
		program string
	}
	seed := maphash.MakeSeed()
	return func(r *http.Request) uint64 {
		return maphash.Comparable(seed, identity{clientOf(r, header, trusted), r.UserAgent()})
	}
}
