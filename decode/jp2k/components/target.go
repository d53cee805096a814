package components

import (
	"tileserver/decode/jp2k/samples"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// Output is a buffer for samples. A request allocates it after its memory is reserved.
type Output struct {
	Rect   wavelet.Rect // of a grid that the caller knows, such as that of a component
	Type   raster.DataType
	Bands  int
	Buffer *raster.Buffer // nil until the request runs
}

// Bytes returns the memory of the buffer.
func (o *Output) Bytes() int64 {
	return raster.BufferBytes(o.Type, o.Rect.Width(), o.Rect.Height(), o.Bands)
}

// allocate allocates the buffer, if needed.
func (o *Output) allocate() {
	if o.Buffer == nil {
		o.Buffer = raster.NewBuffer(o.Type, o.Rect.Width(), o.Rect.Height(), o.Bands)
	}
}

// Target is one band of an output.
type Target struct {
	*Output
	Band int
}

// SetNodata marks the samples of a rectangle as nodata, since they are not stored.
func (t Target) SetNodata(r wavelet.Rect) {
	r = r.Intersect(t.Rect)
	if r.Empty() {
		return
	}
	validity := t.Buffer.OwnValidity(t.Band)
	for y := r.Y0; y < r.Y1; y++ {
		clear(validity[t.At(r.X0, y):][:r.Width()])
	}
}

// At returns the index of a sample in a band's plane.
func (t Target) At(x, y int) int { return (y-t.Rect.Y0)*t.Rect.Width() + x - t.Rect.X0 }

// put stores a rectangle of values, clipped to the target.
func put[V wavelet.Number](t Target, from *wavelet.Plane[V], rect wavelet.Rect, depth samples.Depth) {
	rect = rect.Intersect(t.Rect)
	if rect.Empty() {
		return
	}
	switch t.Type {
	case raster.Uint8:
		putAs[uint8](t, from, rect, depth)
	case raster.Int8:
		putAs[int8](t, from, rect, depth)
	case raster.Uint16:
		putAs[uint16](t, from, rect, depth)
	case raster.Int16:
		putAs[int16](t, from, rect, depth)
	case raster.Uint32:
		putAs[uint32](t, from, rect, depth)
	case raster.Int32:
		putAs[int32](t, from, rect, depth)
	case raster.Uint64:
		putAs[uint64](t, from, rect, depth)
	case raster.Int64:
		putAs[int64](t, from, rect, depth)
	}
}

func putAs[T samples.Sample, V wavelet.Number](t Target, from *wavelet.Plane[V], rect wavelet.Rect, depth samples.Depth) {
	to := raster.Writable[T](t.Buffer, t.Band)
	for y := rect.Y0; y < rect.Y1; y++ {
		samples.Store(to[t.At(rect.X0, y):][:rect.Width()], row(from, y)[rect.X0-from.Rect.X0:], depth)
	}
}
