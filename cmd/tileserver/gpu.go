package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"tileserver/cmd/tileserver/device"
	"tileserver/config"
	"tileserver/gpu"
	"tileserver/gpu/child"
	"tileserver/gpu/gather"
	"tileserver/gpu/route"
	"tileserver/gpu/webgpu"
	"tileserver/http/admin"
)

// picturesOfBatch is how many cheap pictures more may be rendered at a time if a GPU is useful. A batch is
// worth it from some hundreds of code-blocks on, of which a picture has about two hundred.
const picturesOfBatch = 32

// piecesOfBatch is how many pieces of a file are read at a time to build overviews if a GPU is useful. Memory
// bounds them to about 50, with some blocks each.
const piecesOfBatch = 256

// coresOf returns how many cores compute for some workers, which may be more than there are cores.
func coresOf(workers int) int { return min(workers, runtime.GOMAXPROCS(0)) }

// gpusOf returns how many GPUs a server has memory for.
func gpusOf(c *config.Config) int {
	if c.GPU == config.GPUOff || !webgpu.IsBuilt {
		return 0
	}
	return max(len(c.GPUDevice), 1)
}

// openDevices opens the GPUs of the server, if it is to have any.
func (s *server) openDevices() error {
	isStrict := s.config.GPU == config.GPUStrict
	switch {
	case s.config.GPU == config.GPUOff, !webgpu.IsBuilt && !isStrict:
		return nil
	case !webgpu.IsBuilt:
		return s.config.At("gpu").Mistakef("strict needs a program that was built for GPUs, with the tag gpu")
	}
	var executors []gpu.Executor
	numbers := s.config.GPUDevice
	if len(numbers) == 0 {
		numbers = config.Numbers{0}
	}
	for _, number := range numbers {
		process, err := newDevice(number, int64(s.config.GPUMemory), s.logger.Logger)
		if err != nil {
			return err
		}
		s.deviceProcesses, executors = append(s.deviceProcesses, process), append(executors, process)
	}
	s.devices = device.New(device.Config{
		Executors: executors, Samples: samples(), Mode: route.Mode(s.config.GPU), Cores: coresOf(s.config.Workers), Processor: device.Processor(),
		State: s.state.values, Build: builtFrom().commit, Logger: s.logger.Logger,
	})
	if !isStrict {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), gpuStartTime)
	defer cancel()
	if err := s.devices.Gatherer.Prepare(ctx); err != nil {
		return errors.Join(fmt.Errorf("GPU: %w", err), s.devices.Close())
	}
	return nil
}

// deviceStats returns what tells of the GPUs, or nil if there are none.
func (s *server) deviceStats() func() admin.DeviceStats {
	if s.devices == nil {
		return nil
	}
	return func() admin.DeviceStats {
		stats := admin.DeviceStats{Gathered: s.devices.Gatherer.Stats(), Estimates: s.devices.Router.Estimates()}
		for _, d := range s.deviceProcesses {
			process := d.Stats()
			stats.IsReady = stats.IsReady || process.State == child.Ready
			stats.Starts += process.Starts
			stats.Failures += process.Failures
		}
		return stats
	}
}

// gatherer returns what gathers work for the GPUs, or nil.
func (s *server) gatherer() *gather.Gatherer {
	if s.devices == nil {
		return nil
	}
	return s.devices.Gatherer
}

func (s *server) closeDevices() {
	if s.devices == nil {
		return
	}
	if err := s.devices.Close(); err != nil {
		s.logger.Warn("GPU cannot be closed", "err", err)
	}
}
