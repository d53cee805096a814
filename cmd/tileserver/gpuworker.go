package main

import (
	"log/slog"
	"os"
	"strconv"
	"time"

	"tileserver/cmd/tileserver/usage"
	"tileserver/gpu"
	"tileserver/gpu/child"
	"tileserver/gpu/webgpu"
)

// gpuWorkerCommand makes the program a child of itself that has a device. The help does not list it, since
// only servers call it.
const gpuWorkerCommand = "gpu-worker"

// gpuWorker runs batches on a device until its parent ends.
func (p *program) gpuWorker(args []string) error {
	index, memory, err := gpuOfArguments(args)
	if err != nil {
		return err
	}
	connection, err := child.Inherited()
	if err != nil {
		return usage.Mistakef("%s: %v", gpuWorkerCommand, err)
	}
	return child.Serve(connection, kernels(), func() (gpu.Runner, error) { return webgpu.Open(index, memory) })
}

// gpuArguments returns the command line of a child with a device, which may take some bytes of its memory.
func gpuArguments(index int, memory int64) []string {
	return []string{gpuWorkerCommand, strconv.Itoa(index), strconv.FormatInt(memory, 10)}
}

// gpuOfArguments is the inverse of gpuArguments, without the command.
func gpuOfArguments(args []string) (index int, memory int64, err error) {
	if len(args) != 2 {
		return 0, 0, usage.Mistakef("%s takes the number of a device and a size", gpuWorkerCommand)
	}
	if index, err = strconv.Atoi(args[0]); err == nil {
		memory, err = strconv.ParseInt(args[1], 10, 64)
	}
	if err != nil || index < 0 || memory < 0 {
		return 0, 0, usage.Mistakef("%s: %q and %q are not the number of a device and a size", gpuWorkerCommand, args[0], args[1])
	}
	return index, memory, nil
}

// The times of a device. A driver may take seconds to open it, and to compile a kernel in the first batch.
const (
	gpuStartTime = time.Minute
	gpuDeadline  = time.Minute
	gpuIdleTime  = 2 * time.Minute
)

// newDevice returns a device, by its number among the adapters of the machine. Its batches and the device
// may each take some bytes.
func newDevice(index int, memory int64, logger *slog.Logger) (*child.Device, error) {
	program, err := ownProgram()
	if err != nil {
		return nil, err
	}
	return child.New(child.Config{
		Program: program, Arguments: gpuArguments(index, memory), MemoryBytes: memory,
		StartTime: gpuStartTime, Deadline: gpuDeadline, IdleTime: gpuIdleTime,
		Logger: logger.With("gpu", index),
	}), nil
}

// ownProgram returns the path of this program. On Linux that is a path to what is running, even after the
// file was replaced by another version.
func ownProgram() (string, error) {
	const running = "/proc/self/exe"
	if _, err := os.Stat(running); err == nil {
		return running, nil
	}
	return os.Executable()
}
