package blocks

import (
	"errors"
	"sync"

	inflate "tileserver/codec/deflate/decoder"
	"tileserver/codec/deflate/kernel"
	"tileserver/gpu"
)

// deflateDecoders pools decoders, whose tables are large.
type deflateDecoders struct{ free sync.Pool }

func newDeflate() *deflateDecoders {
	return &deflateDecoders{sync.Pool{New: func() any { return new(inflate.Decoder) }}}
}

func (d *deflateDecoders) decompress(dst, src []byte) (int, error) {
	decoder := d.free.Get().(*inflate.Decoder)
	defer d.free.Put(decoder)
	n, err := decoder.Zlib(dst, src)
	if errors.Is(err, inflate.ErrTooLong) {
		return n, errLonger
	}
	return n, err
}

// deflateCodec is the streamCodec of Deflate. A device decompresses its streams, and a core does the rest.
// Streams that are anything but sound, and hold exactly the rows of their block, are left to the cores.
type deflateCodec struct{ streamCodec }

var _ deviceCodec = deflateCodec{}

func (deflateCodec) kernel() *gpu.Kernel { return kernel.Inflate }

func (deflateCodec) forDevice(job *Job) (gpu.Job, bool) {
	if job.check() != nil || job.Layout.LowBitFirst {
		return gpu.Job{}, false
	}
	return kernel.JobOf(job.Source, job.Layout.BlockBytes(job.Rows))
}

func (deflateCodec) write(job *Job, input []byte) { kernel.Write(job.Source, input) }

func (c deflateCodec) read(job *Job, status uint32, output []byte) error {
	size := job.Layout.BlockBytes(job.Rows)
	buffer := c.scratch.get(size)
	defer c.scratch.put(buffer)
	rows := buffer.bytes(size)
	if err := kernel.Read(job.Source, status, output, rows); err != nil {
		return err
	}
	return job.take(rows, size, nil)
}
