//go:build gpu && cgo

package webgpu

/*
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// A part of webgpu.h.
extern void wgpuBufferMapAsync(void *buffer, uint32_t mode, size_t offset, size_t size, void (*done)(uint32_t status, void *of), void *of);
extern void wgpuDevicePushErrorScope(void *device, uint32_t filter);
extern void wgpuDevicePopErrorScope(void *device, void (*report)(uint32_t kind, char const *message, void *of), void *of);

enum { VALIDATION, OUT_OF_MEMORY };

// scope_report is called with the kind of the first error in a scope, or 0.
static void scope_report(uint32_t kind, char const *message, void *of) {
	*(uint32_t *)of = kind;
}

static void scope_open(uintptr_t device, uint32_t filter) {
	wgpuDevicePushErrorScope((void *)device, filter);
}

static uint32_t scope_close(uintptr_t device) {
	uint32_t kind = 0;
	wgpuDevicePopErrorScope((void *)device, scope_report, &kind);
	return kind;
}

// What a mapping has come to. It is memory of C, since the library writes to it when the device is done.
typedef struct {
	uint32_t isDone, status; // a status of 0 is a success
} mapping;

static void mapping_done(uint32_t status, void *of) {
	*(mapping *)of = (mapping){.isDone = 1, .status = status};
}

// mapping_start asks for memory to read, and returns the kind of error that it met, or 0.
static uint32_t mapping_start(mapping *m, uintptr_t device, uintptr_t buffer, size_t size) {
	enum { READ = 1 };
	scope_open(device, VALIDATION);
	wgpuBufferMapAsync((void *)buffer, READ, 0, size, mapping_done, m);
	return scope_close(device);
}
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"
	"unsafe"

	"github.com/cogentcore/webgpu/wgpu"
)

// This file calls the library itself where the binding has faults. Its handles are fields of the types
// of the binding, which has no way to ask for them.

func handleOf[T wgpu.Device | wgpu.Buffer](of *T) C.uintptr_t {
	return C.uintptr_t(reflect.ValueOf(of).Elem().FieldByName("ref").Pointer())
}

// errNoMemory means that other programs have the memory of the device.
var errNoMemory = errors.New("the GPU has no memory left")

// catchNoMemory makes a lack of memory an error. The binding catches misuse only, and what is not caught
// ends the process.
func catchNoMemory(device *wgpu.Device, allocate func() error) error {
	C.scope_open(handleOf(device), C.OUT_OF_MEMORY)
	err := allocate()
	if C.scope_close(handleOf(device)) != 0 {
		return errNoMemory
	}
	return err
}

// mapping makes a buffer readable. The binding hands the library a pointer to memory of Go for that, which
// may be in other use when the library writes to it.
type mapping struct{ state *C.mapping }

// startMapping asks for the first bytes of a buffer, to be had after the last submission.
func startMapping(device *wgpu.Device, buffer *wgpu.Buffer, bytes int) (*mapping, error) {
	m := &mapping{(*C.mapping)(C.calloc(1, C.size_t(unsafe.Sizeof(C.mapping{}))))}
	if kind := C.mapping_start(m.state, handleOf(device), handleOf(buffer), C.size_t(bytes)); kind != 0 {
		m.free()
		return nil, fmt.Errorf("memory to read from is refused with error %d", kind)
	}
	return m, nil
}

func (m *mapping) free() { C.free(unsafe.Pointer(m.state)) }

// await waits for the device. It asks again and again, since the library gives up after five seconds when it
// waits itself, and calls that a success. If ctx ends first, the library still has the state, which stays.
func (m *mapping) await(ctx context.Context, device *wgpu.Device) error {
	for began := time.Now(); ; time.Sleep(pause(time.Since(began))) {
		device.Poll(false, nil)
		if m.state.isDone != 0 {
			break
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	defer m.free()
	if m.state.status != 0 {
		return fmt.Errorf("memory to read from is missing with status %d", m.state.status)
	}
	return nil
}

// pause returns how long to wait before the device is asked again. It adds little to the time of any batch.
func pause(waited time.Duration) time.Duration {
	return min(max(waited/16, 10*time.Microsecond), time.Millisecond)
}
