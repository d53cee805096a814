package ports

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strconv"
	"syscall"
)

// privilegedPorts is the number of ports, from 0, that only root may listen on under many systems.
const privilegedPorts = 1024

// whyNotOpen explains why listening on an address failed, and what to do about it.
func whyNotOpen(err error, address, option string) error {
	switch {
	case isInUse(err):
		return fmt.Errorf("address %s is already in use; choose another one, such as %s %s", address, option, nextPort(address))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("no permission to listen on %s; choose a port from %d up, such as %s %s", address, privilegedPorts, option, nextPort(address))
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fmt.Errorf("%s is not an address of this machine; for all of its addresses, use %s %s", address, option, onAllAddresses(address))
	}
	return fmt.Errorf("cannot listen on %s (%s): %w", address, option, err)
}

// addressInUseOnWindows is the counterpart of EADDRINUSE on Windows.
const addressInUseOnWindows = syscall.Errno(10048)

func isInUse(err error) bool {
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, addressInUseOnWindows)
}

// portsToSkip is the distance to the suggested port. It skips the next port, since the default
// admin port follows the default port of the maps.
const portsToSkip = 10

// nextPort returns an address with the same host and a port that is probably free.
func nextPort(address string) string {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return "127.0.0.1:0"
	}
	port, err := strconv.Atoi(text)
	switch {
	case err != nil || port+portsToSkip > 65535:
		port = 0
	case port < privilegedPorts:
		port = 8080
	default:
		port += portsToSkip
	}
	return net.JoinHostPort(host, strconv.Itoa(port))
}

func onAllAddresses(address string) string {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		port = "8080"
	}
	return net.JoinHostPort("0.0.0.0", port)
}
