package blocks

import (
	jpeg "tileserver/codec/jpeg/decoder"
)

// decodeJPEG decodes the stream that decoder has opened into the planes of job. If it fails, the first
// sound rows are decoded.
func decodeJPEG(decoder *jpeg.Decoder, f jpeg.Frame, job *Job) (sound int, err error) {
	if job.Layout.Type.Size() == 1 {
		return decodePlanes(decoder.Decode8, f, job)
	}
	return decodePlanes(decoder.Decode16, f, job)
}

func decodePlanes[T jpeg.Sample](decode func(*jpeg.Picture[T]) error, f jpeg.Frame, job *Job) (sound int, err error) {
	if interleavesColumns(f, job.Layout) {
		return decodeInterleaved(decode, f, job)
	}
	picture := jpegPicture[T](job)
	err = decode(&picture)
	return picture.Sound, err
}

// jpegPicture returns the planes of a job as a picture.
func jpegPicture[T jpeg.Sample](job *Job) jpeg.Picture[T] {
	picture := jpeg.Picture[T]{Width: job.Target.Width(), Height: job.Target.Height(), RGB: job.Layout.JPEG.YCbCr}
	for i, s := range job.Samples {
		picture.Planes[s] = asWords[T](job.Target.Plane(job.FirstBand + i))
	}
	return picture
}

// repeatSamples fills the bands whose sample is also that of a later band. Only the last of such
// bands is decoded.
func (j *Job) repeatSamples() {
	for i, s := range j.Samples {
		for later := len(j.Samples) - 1; later > i; later-- {
			if j.Samples[later] == s {
				copy(j.Target.Plane(j.FirstBand+i), j.Target.Plane(j.FirstBand+later))
				break
			}
		}
	}
}

// interleavesColumns reports whether the components are neighboring samples in a row, and not the
// samples of one pixel. Cameras write the mosaic of their sensor so, because each sample is then
// predicted from one of its own color.
func interleavesColumns(f jpeg.Frame, l *Layout) bool {
	return f.Process == jpeg.Lossless && f.Components != l.Samples && !l.JPEG.YCbCr &&
		f.Components*f.Width == l.Samples*l.Width
}

// decodeInterleaved decodes the components into separate planes and interleaves them into rows.
func decodeInterleaved[T jpeg.Sample](decode func(*jpeg.Picture[T]) error, f jpeg.Frame, job *Job) (sound int, err error) {
	separate := jpeg.Picture[T]{Width: f.Width, Height: job.Target.Height()}
	for i := range f.Components {
		separate.Planes[i] = make([]T, separate.Width*separate.Height)
	}
	err = decode(&separate)
	width, samples := job.Target.Width(), job.Layout.Samples
	for i, s := range job.Samples {
		target := asWords[T](job.Target.Plane(job.FirstBand + i))
		for y := range separate.Sound {
			for x := range width {
				index := x*samples + s
				target[y*width+x] = separate.Planes[index%f.Components][y*f.Width+index/f.Components]
			}
		}
	}
	return separate.Sound, err
}
