// Package farfiles tests how formats read files that lie far away: the same as near ones, in few round trips.
package farfiles
