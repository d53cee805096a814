//go:build (!amd64 && !arm64) || purego

package adler32

// Update continues a checksum. Begin with Initial.
func Update(checksum uint32, data []byte) uint32 { return updateInGo(checksum, data) }
