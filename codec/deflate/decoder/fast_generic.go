//go:build (!amd64 && !arm64) || purego

package decoder

func (d *Decoder) decodeFast(s *stream) (ended bool, err error) { return d.decodeFastInGo(s) }
