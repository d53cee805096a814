package remote

import (
	"path/filepath"
	"testing"

	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
)

// inOneTile is an image of 2 MB in a tile that does not say where its packets are: its index takes the whole file.
func inOneTile() jp2ktest.Image {
	m := jp2ktest.Wide()
	m.Image, m.Components, m.Sample = wavelet.Rect{X1: 1800, Y1: 1400}, jp2ktest.Components(1, 8), jp2ktest.Noise
	m.Coding.BlockWidthLog2, m.Coding.BlockHeightLog2 = 4, 4
	m.Coding.Precincts = make([]codestreamtest.Precinct, m.Coding.Levels+1)
	for i := range m.Coding.Precincts {
		m.Coding.Precincts[i] = codestreamtest.Precinct{WidthLog2: 7, HeightLog2: 7}
	}
	return m
}

// The index of a codestream on a web server outlives the program: after a restart only the code-blocks of a tile are
// read, as long as the server has the same version.
func TestTheIndexOfARemoteCodestreamOutlivesTheProgram(t *testing.T) {
	t.Parallel()
	tileserver(t)
	from, state := startNginx(t, ""), t.TempDir()
	data := inOneTile().Codestream()
	write(t, filepath.Join(from.folder, "one.j2k"), data)
	p := newProxy(t, from.url)
	const address = "/tiles/one/image/3/4/2.png"
	ask := func() (got answer, share float64) {
		s := serveWithState(t, configuration(p.URL+"/one.j2k"), state)
		before := p.sent.Load()
		got = s.ask(t, address)
		s.stop(t)
		return got, float64(p.sent.Load()-before) / float64(len(data))
	}
	first, all := ask()
	again, share := ask()
	if first.status != 200 || again != first {
		t.Errorf("the tile is %v, and %v after a restart", first, again)
	}
	if all < 0.8 || share > 0.3 {
		t.Errorf("%.2f of the file are read, and after a restart %.2f, want all and a part", all, share)
	}
	write(t, filepath.Join(from.folder, "one.j2k"), append(data, 0))
	if got, share := ask(); got.status != 200 || share < 0.8 {
		t.Errorf("of another version %.2f are read, want all of it: %v", share, got)
	}
}
