// Package combine makes one image of several, or of several bands: parts that tile a picture,
// levels in files of their own, and pairs of bands that are complex. Package decode/nitf calls
// it. It must never know where images come from, or why they belong together.
package combine
