package blocks

import (
	"context"
	"fmt"

	"tileserver/decode"
	"tileserver/decode/pool"
)

// Decode decodes jobs of one compression on a pool. It returns the corrupt ones, ordered by index;
// the contents of their targets are undefined. Any other failure is returned as err.
func (r Registry) Decode(ctx context.Context, p *pool.Pool, c Compression, jobs []Job) (corrupt []pool.TaskError, err error) {
	codec := r[c]
	if codec == nil {
		return nil, fmt.Errorf("compression %q: %w", c, decode.ErrUnsupported)
	}
	if onDevice, ok := codec.(deviceCodec); ok {
		return p.Decode(ctx, deviceJobBatch{jobBatch{codec, jobs}, onDevice})
	}
	return p.Decode(ctx, jobBatch{codec, jobs})
}

// jobBatch is a batch whose tasks are jobs of one codec.
type jobBatch struct {
	codec Codec
	jobs  []Job
}

func (b jobBatch) Len() int       { return len(b.jobs) }
func (b jobBatch) Do(i int) error { return b.codec.Decode(&b.jobs[i]) }
