// Package admission decides which work may begin, so that a cheap answer never waits behind a dear
// one. Packages layer and http/documents ask it before they draw or compose, and the packages below
// layer before they compute statistics and build overviews. Package decode/pool asks it whose tasks
// come first, and which storage they read; it and package pyramid give way while they compute. It owns
// the slots, the queues and the memory of work. It must never know pixels, files or HTTP.
//
// Words:
//
//   - A *work* is what a caller wants to do. Its *cost* is the estimated time that it needs on one
//     core, without waiting.
//   - A *visit* is a work at the gate. It waits, or it is *inside* and has a slot.
//   - A *lane* is a queue with slots of its own. Answers go to the *cheap* lane or to the *dear* one.
//     Everything in another lane than the cheap one counts as dear.
//   - A *group* is the visits that share a turn, usually those of a layer. The groups that wait in a
//     lane take turns.
//   - A *prefetch* loads what nobody has asked for yet. It enters while the gate is *idle*, and is canceled
//     when other work needs its slot.
//   - A *source* is what a work reads: a file, and the *storage* that the file lies on.
//   - A visit is *overdue* once it has waited too long for its sources. From then on it is *excused*
//     whenever it waits for them: its slot is given to another.
//   - A visit *lends* its slot while it waits for a source that is *far*, such as a web server. One that begins
//     with such a wait lends it as it enters, so it needs no free one.
//   - A source is *slow* once enough visits are excused that read it, until one ends in time. What is *usual* for
//     a far one is not too long.
package admission
