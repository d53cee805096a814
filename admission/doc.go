// Package admission decides which work may begin, so that a cheap answer never waits behind a dear
// one. Packages layer and http/documents ask it before they draw or compose, and the packages below
// layer before they compute statistics and build overviews. Package decode/pool asks it whose tasks
// come first. It owns the slots, the queues and the memory of work. It must never know pixels, files
// or HTTP.
//
// Words:
//
//   - A *work* is what a caller wants to do. Its *cost* is the estimated time that it needs on one
//     core, without waiting.
//   - A *lane* is a queue with slots of its own. Answers go to the *cheap* lane or to the *dear* one.
//     Everything in another lane than the cheap one counts as dear.
//   - A *group* is whose turn it is: in a lane, groups with waiting work take turns.
//   - A *source* is where the bytes of a work come from, a file on a *storage*. A work is *overdue* that
//     has waited long for its sources. A file is *slow* once such a work reads it, and a storage once
//     several do.
//   - A *visit* is a work that waits or has a slot.
package admission
