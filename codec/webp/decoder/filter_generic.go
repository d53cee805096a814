//go:build !amd64 || purego

package decoder

func (e edge16) smoothColumns6(s *strength) { e.smoothColumns6InGo(s) }
func (e edge16) smoothColumns4(s *strength) { e.smoothColumns4InGo(s) }
func (e edge16) smoothRows6(s *strength)    { e.smoothRows6InGo(s) }
func (e edge16) smoothRows4(s *strength)    { e.smoothRows4InGo(s) }
