package decode

import (
	"fmt"
	"image"
)

// writeJPEG copies a picture to the planes of job's target.
func writeJPEG(picture image.Image, job *Job) error {
	switch p := picture.(type) {
	case *image.Gray:
		for i := range job.Samples {
			copyPlane(job, i, p.Pix, p.Stride)
		}
	case *image.YCbCr:
		return writeThree(p, job)
	case *image.CMYK:
		writeFour(p, job)
	default:
		return fmt.Errorf("JPEG decoded to %T: %w", picture, ErrUnsupported)
	}
	return nil
}

// copyPlane copies the upper left part of a plane to the i-th band of job.
func copyPlane(job *Job, i int, plane []byte, stride int) {
	width := job.Target.Width()
	target := job.Target.Plane(job.FirstBand + i)
	for y := range job.Target.Height() {
		copy(target[y*width:][:width], plane[y*stride:])
	}
}

// writeFour undoes the inversion of inks that the decoder makes.
func writeFour(p *image.CMYK, job *Job) {
	width := job.Target.Width()
	for i, s := range job.Samples {
		target := job.Target.Plane(job.FirstBand + i)
		for y := range job.Target.Height() {
			row := p.Pix[y*p.Stride:][:4*width]
			for x := range width {
				target[y*width+x] = 255 - row[4*x+s]
			}
		}
	}
}

// writeThree brings the components to one size and, if they are YCbCr, to RGB.
func writeThree(p *image.YCbCr, job *Job) error {
	if p.SubsampleRatio == image.YCbCrSubsampleRatio444 && !job.Layout.JPEG.YCbCr {
		planes := [3][]byte{p.Y, p.Cb, p.Cr}
		strides := [3]int{p.YStride, p.CStride, p.CStride}
		for i, s := range job.Samples {
			copyPlane(job, i, planes[s], strides[s])
		}
		return nil
	}
	upsampler, err := newUpsampler(p)
	if err != nil {
		return err
	}
	width := job.Target.Width()
	unwanted := make([]byte, 3*width)
	rows := [3][]byte{unwanted[:width], unwanted[width:][:width], unwanted[2*width:]}
	for y := range job.Target.Height() {
		for i, s := range job.Samples {
			rows[s] = job.Target.Plane(job.FirstBand + i)[y*width:][:width]
		}
		cb, cr := upsampler.row(y)
		luma := p.Y[y*p.YStride:]
		if job.Layout.JPEG.YCbCr {
			rgbRow(rows[0], rows[1], rows[2], luma, cb, cr)
			continue
		}
		copy(rows[0], luma)
		copy(rows[1], cb)
		copy(rows[2], cr)
	}
	repeatSamples(job)
	return nil
}

// repeatSamples fills the bands that want a sample that a later one took.
func repeatSamples(job *Job) {
	for i, s := range job.Samples {
		for j := len(job.Samples) - 1; j > i; j-- {
			if job.Samples[j] == s {
				copy(job.Target.Plane(job.FirstBand+i), job.Target.Plane(job.FirstBand+j))
				break
			}
		}
	}
}
