// Package decode names what keeps content from being decoded: it is corrupt, or of a kind that
// nothing here reads. The decoders of codec, and the packages below decode, wrap these errors with
// texts of their own. Callers ask errors.Is. The package knows neither formats nor files.
package decode

import "errors"

// ErrCorrupt is in the chain of every error about damaged content. The damage is permanent, while
// other errors may not occur again.
var ErrCorrupt = errors.New("corrupt")

// ErrCorruptBlock is an ErrCorrupt that concerns one block. Others may be intact.
var ErrCorruptBlock = Corrupt("corrupt block")

// ErrUnsupported marks content of a kind that nothing here can read.
var ErrUnsupported = errors.New("unsupported")

// ErrBlockTooLarge marks an image whose blocks take more memory than the reader may use. The error
// also is ErrUnsupported, for callers that only need to know that the image cannot be read.
var ErrBlockTooLarge = errors.New("block too large")

// Corrupt returns an ErrCorrupt with a text of its own. Packages that decode have one each.
func Corrupt(text string) error { return &corruptError{text} }

type corruptError struct{ text string }

func (e *corruptError) Error() string { return e.text }

// Unwrap returns ErrCorrupt, whatever the text says.
func (e *corruptError) Unwrap() error { return ErrCorrupt }
