// Package fire tests that nobody's slow client, slow disk or dear request hurts anybody else. Tests of
// time run handlers on a simulated clock. Tests of memory run the whole program as a process, and
// read its memory from /proc, so they run on Linux.
//
// Other tests of that lie beside what they test. The life of the process, from its connections to its
// end, is tested in cmd/tileserver, cmd/tileserver/ports and integration; storages that hang, are full
// or fail in source/guard and cache/disk, and layers on them in cmd/tileserver (stalled_test.go,
// slowdisk_test.go); files that change while they are served in integration (mixture_test.go,
// change_test.go). The program integration/soak does everything at once for hours.
package fire
