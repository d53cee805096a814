package permit

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"sync/atomic"
	"testing"
)

// nameServer answers each question with the next addresses.
type nameServer struct {
	net.PacketConn
	answers [][]netip.Addr
	asked   atomic.Int64
}

func startNameServer(t *testing.T, answers ...[]netip.Addr) *nameServer {
	t.Helper()
	conn, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &nameServer{PacketConn: conn, answers: answers}
	t.Cleanup(func() { conn.Close() })
	go s.serve()
	return s
}

func (s *nameServer) serve() {
	query := make([]byte, 1500)
	for {
		n, client, err := s.ReadFrom(query)
		if err != nil {
			return
		}
		if _, err := s.WriteTo(s.answer(query[:n]), client); err != nil {
			return
		}
	}
}

// answer answers a question for IPv4 addresses. There are no others.
func (s *nameServer) answer(query []byte) []byte {
	const headerBytes, isAddress = 12, 1
	end := headerBytes
	for query[end] != 0 {
		end += 1 + int(query[end])
	}
	end += 5 // the end of the name, its type and its class
	var ips []netip.Addr
	if binary.BigEndian.Uint16(query[end-4:]) == isAddress {
		ips = s.answers[(s.asked.Add(1)-1)%int64(len(s.answers))]
	}
	answer := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, byte(len(ips)), 0, 0, 0, 0}, query[headerBytes:end]...)
	for _, ip := range ips {
		answer = append(answer, 0xc0, headerBytes, 0, isAddress, 0, 1, 0, 0, 0, 0, 0, 4) // lives for no second
		answer = append(answer, ip.AsSlice()...)
	}
	return answer
}

// dialer connects to what the server says, within a policy.
func (s *nameServer) dialer(p Policy) *net.Dialer {
	return &net.Dialer{Control: p.Control, Resolver: &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp4", s.LocalAddr().String())
	}}}
}

// serverAt starts a web server at an address. It counts connections, even those without a request.
func serverAt(t *testing.T, address string) (port string, connections *atomic.Int64) {
	t.Helper()
	listener, err := net.Listen("tcp4", address)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("NOT TESTED: this machine has one address of loopback only: %v", err)
	}
	connections = new(atomic.Int64)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(address)) }))
	server.Listener.Close()
	server.Listener = listener
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	_, port, _ = net.SplitHostPort(listener.Addr().String())
	return port, connections
}

// A name means a permitted address when it is first looked up, and another one after that.
func TestANameThatChangesItsMeaningDoesNotLeadElsewhere(t *testing.T) {
	permitted, other := netip.MustParseAddr("127.0.0.2"), netip.MustParseAddr("127.0.0.1")
	port, reached := serverAt(t, "127.0.0.2:0")
	_, betrayed := serverAt(t, "127.0.0.1:"+port)
	names := startNameServer(t, []netip.Addr{permitted}, []netip.Addr{other}, []netip.Addr{other, permitted})
	p := policyOf(t, "http://maps.example.org:"+port+"/")
	p.Networks = []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}
	client := http.Client{Transport: &http.Transport{DialContext: names.dialer(p).DialContext, DisableKeepAlives: true}}

	for lookup, isPermitted := range []bool{true, false, true} { // the last time, one address of two is
		address, err := p.Check("http://maps.example.org:" + port + "/a.tif")
		if err != nil {
			t.Fatal(err)
		}
		response, err := client.Get(address)
		if err == nil {
			response.Body.Close()
		}
		if (err == nil) != isPermitted || err != nil && !errors.Is(err, ErrNotPermitted) {
			t.Errorf("lookup %d: %v", lookup, err)
		}
	}
	if names.asked.Load() != 3 || reached.Load() != 2 || betrayed.Load() != 0 {
		t.Errorf("%d lookups, %d connections to the permitted address, %d to the other", names.asked.Load(), reached.Load(), betrayed.Load())
	}
}
