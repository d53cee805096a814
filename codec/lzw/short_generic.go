//go:build !amd64 || purego

package lzw

func writeShortRun(t *table, dst []byte, n int, codes *codeReader, width uint, end int) int {
	return writeShortRunInGo(t, dst, n, codes, width, end)
}
