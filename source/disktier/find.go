package disktier

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// patience is how long a read waits for a block on the disk. An object that is far away gives it sooner
	// than a disk that has not after that.
	patience = 250 * time.Millisecond

	// parallelFills is how many blocks a read looks for on the disk at a time.
	parallelFills = 4
)

// find gets the blocks that wait to be written and those on the disk, and returns the numbers of the others.
func (r *reader) find(ctx context.Context, numbers []int64, got map[int64][]byte) (missing []int64) {
	var onDisk []int64
	for _, number := range numbers {
		key := blockKey{r.id, number}
		if block := r.tier.queue.find(key); int64(len(block)) == r.lengthOf(number) {
			got[number] = block
		} else if r.tier.keeper.mayContain(key) {
			onDisk = append(onDisk, number)
		}
	}
	r.fillAll(ctx, onDisk, got)
	for _, number := range numbers {
		if got[number] == nil {
			missing = append(missing, number)
		}
	}
	r.tier.counts.hits.Add(int64(len(numbers) - len(missing)))
	return missing
}

// fillAll reads blocks from the disk, as far as they are there. Those that lie side by side do so in memory.
func (r *reader) fillAll(ctx context.Context, numbers []int64, got map[int64][]byte) {
	blocks := make(map[int64][]byte, len(numbers))
	for _, one := range joined(numbers) {
		one.divide(make([]byte, one.within(r.object.Size()).Length), blocks)
	}
	var next atomic.Int64
	var isSlow atomic.Bool
	var filling sync.WaitGroup
	isFilled := make([]bool, len(numbers))
	for range min(parallelFills, len(numbers)) {
		filling.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(numbers)) && !isSlow.Load(); i = next.Add(1) - 1 {
				isFilled[i] = r.fill(ctx, numbers[i], blocks[numbers[i]], &isSlow)
			}
		})
	}
	filling.Wait()
	for i, number := range numbers {
		if isFilled[i] {
			got[number] = blocks[number]
		}
	}
}

// fill reads a block from the disk. If that takes long, the disk is slow, and the read looks there for no other.
func (r *reader) fill(ctx context.Context, number int64, block []byte, isSlow *atomic.Bool) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	isFilled := r.tier.keeper.fill(ctx, blockKey{r.id, number}, block)
	if ctx.Err() != nil {
		isSlow.Store(true)
	}
	return isFilled
}
