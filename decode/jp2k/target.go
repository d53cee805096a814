package jp2k

import (
	"tileserver/decode/jp2k/samples"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// output is a buffer for samples. It is allocated after its memory is reserved.
type output struct {
	rect     wavelet.Rect // of the level, or of the component
	dataType raster.DataType
	bands    int
	buffer   *raster.Buffer
}

func (o *output) bytes() int64 {
	return raster.BufferBytes(o.dataType, o.rect.Width(), o.rect.Height(), o.bands)
}

// allocate allocates the buffer, if needed.
func (o *output) allocate() {
	if o.buffer == nil {
		o.buffer = raster.NewBuffer(o.dataType, o.rect.Width(), o.rect.Height(), o.bands)
	}
}

// target is one band of an output.
type target struct {
	*output
	band int
}

// setNodata marks the samples of a rectangle as nodata, since they are not stored.
func (t target) setNodata(r wavelet.Rect) {
	r = r.Intersect(t.rect)
	if r.Empty() {
		return
	}
	validity := t.buffer.OwnValidity(t.band)
	for y := r.Y0; y < r.Y1; y++ {
		clear(validity[t.at(r.X0, y):][:r.Width()])
	}
}

// at returns the index of a sample in a band's plane.
func (t target) at(x, y int) int { return (y-t.rect.Y0)*t.rect.Width() + x - t.rect.X0 }

// put stores a rectangle of values, clipped to the target.
func put[V wavelet.Number](t target, from *wavelet.Plane[V], rect wavelet.Rect, depth samples.Depth) {
	rect = rect.Intersect(t.rect)
	if rect.Empty() {
		return
	}
	switch t.dataType {
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

func putAs[T samples.Sample, V wavelet.Number](t target, from *wavelet.Plane[V], rect wavelet.Rect, depth samples.Depth) {
	to := raster.Writable[T](t.buffer, t.band)
	for y := rect.Y0; y < rect.Y1; y++ {
		samples.Store(to[t.at(rect.X0, y):][:rect.Width()], row(from, y)[rect.X0-from.Rect.X0:], depth)
	}
}

// typeOf returns the narrowest type for samples of the given bits.
func typeOf(bits int, signed bool) raster.DataType {
	unsignedTypes := [...]raster.DataType{raster.Uint8, raster.Uint16, raster.Uint32, raster.Uint64}
	signedTypes := [...]raster.DataType{raster.Int8, raster.Int16, raster.Int32, raster.Int64}
	size := 0
	for 8<<size < bits && size < len(signedTypes)-1 {
		size++
	}
	if signed {
		return signedTypes[size]
	}
	return unsignedTypes[size]
}
