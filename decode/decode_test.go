package decode_test

import (
	"errors"
	"fmt"
	"testing"

	"tileserver/decode"
)

func TestCorruptIsErrCorruptUnderItsOwnText(t *testing.T) {
	own, other := decode.Corrupt("fax: corrupt data"), decode.Corrupt("fax: corrupt data")
	err := fmt.Errorf("row 7: %w", own)
	if !errors.Is(err, decode.ErrCorrupt) || !errors.Is(err, own) || err.Error() != "row 7: fax: corrupt data" {
		t.Errorf("%v is not %v and %v", err, decode.ErrCorrupt, own)
	}
	if errors.Is(err, other) || errors.Is(err, decode.ErrCorruptBlock) || errors.Is(err, decode.ErrUnsupported) {
		t.Errorf("%v is the error of another package", err)
	}
	if !errors.Is(decode.ErrCorruptBlock, decode.ErrCorrupt) {
		t.Errorf("%v is not %v", decode.ErrCorruptBlock, decode.ErrCorrupt)
	}
}
