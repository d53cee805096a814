// Package transport sends requests to web servers: over few connections, a bounded number at a time, again
// where that can help, and to no address that is not permitted. Package web reads objects with it. A Client
// owns the connections, and what is known of each origin. The package must never know what is asked for,
// nor how requests are signed.
//
// Words: an *origin* is a scheme, a host and a port; servers fail and slow down as origins. A *turn* is the
// permission to ask an origin. A *try* is a request as it is sent; a *hedge* is a second one beside a slow
// try, of which the sooner answer is taken. A *refusal* is an answer that says no.
package transport
