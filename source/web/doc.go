// Package web is a store of objects behind HTTP: on web servers and in buckets. The program opens
// remote files with it. A Store owns what is known of each object for a while, and the requests that
// are under way; its transport owns connections, retries and limits. The package must never know what
// the bytes mean, nor how a service signs its requests.
package web
