// Package export makes all tiles of a map with several workers, and joins them into one archive. It can be killed at any time and started again, and the output
// is the same, byte for byte, whatever the number of workers and of interruptions.
//
// It owns the order of the work, the workers, what is kept of an unfinished export, and the joining.
// Package cmd/tileserver/export gives it a function that renders one tile. It must never know layers,
// requests or codecs.
//
// Words:
//
//   - A *grid* is the levels whose tiles are made, and which tiles of each.
//   - A *level group* is up to seven levels of a grid, in which each tile is four tiles of the next level.
//   - A *shard* is the tiles of a level group under one square: a subtree of six levels, 5,461 tiles at most.
//   - A *batch* is some tiles of a shard, near each other, that one worker makes.
//   - The *work folder* beside the output has the finished shards, until all are joined.
package export
