// Package listing keeps the layers of a server in order: who has which id, the pages of a list that
// changes while clients read it, searches, and the layer that viewers show first.
//
// Package layer calls it for each list of layers that it serves, and package http names selections
// and pages. It owns the positions of removed layers. It sees of a layer only its id, its text,
// whether it lies on the earth, and the size, bands and emptiness of its image. It must never know
// styles or versions of files.
//
// Words:
//
//   - A *list* is what is served from one change to the next. An *index* makes it searchable.
//   - A *selection* is the layers that a search finds. A *page* is a range of it.
//   - The *start layer* is what a viewer shows if nothing else was asked for.
package listing
