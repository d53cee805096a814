//go:build !amd64 || purego

package inflate

func (d *Decoder) decodeFast(s *stream) (ended bool, err error) { return d.decodeFastInGo(s) }
