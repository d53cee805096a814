package blocks

import (
	jpeg "tileserver/codec/jpeg/decoder"
	"tileserver/codec/jpeg/kernel"
	"tileserver/gpu"
)

// A device decodes the restart intervals of JPEG to samples of components. A core makes colors of them.
var _ deviceCodec = (*jpegCodec)(nil)

func (c *jpegCodec) kernel() *gpu.Kernel { return kernel.Intervals }

func (c *jpegCodec) forDevice(job *Job) (onDevice gpu.Job, ok bool) {
	decoder := c.decoder()
	defer c.put(decoder)
	intervals, hasIntervals := intervalsOf(decoder, job)
	if !hasIntervals {
		return gpu.Job{}, false
	}
	return kernel.JobOf(&intervals)
}

func (c *jpegCodec) write(job *Job, input []byte) {
	decoder := c.decoder()
	defer c.put(decoder)
	intervals, _ := intervalsOf(decoder, job) // forDevice has found them
	kernel.Write(&intervals, input)
}

func (c *jpegCodec) read(job *Job, status uint32, output []byte) error {
	samples, err := kernel.Samples(status, output)
	if err != nil {
		return err
	}
	decoder := c.decoder()
	defer c.put(decoder)
	if _, err := openJPEG(decoder, job); err != nil {
		return err
	}
	picture := jpegPicture[uint8](job)
	if err := decoder.Compose8(&picture, samples); err != nil {
		return err
	}
	job.repeatSamples()
	return nil
}

// intervalsOf opens the stream of a block and returns its restart intervals. It returns false for a block that
// a core has to decode. To open a stream takes a thousandth of the time to decode 512×512 pixels, so nothing is
// kept from one call to the next.
func intervalsOf(decoder *jpeg.Decoder, job *Job) (intervals jpeg.Intervals, ok bool) {
	if job.Layout.LowBitFirst {
		return jpeg.Intervals{}, false
	}
	if _, err := openJPEG(decoder, job); err != nil {
		return jpeg.Intervals{}, false
	}
	return decoder.Intervals(job.Target.Height())
}
