package main

import (
	"context"
	"errors"
	"fmt"

	"tileserver/cmd/tileserver/device"
	"tileserver/config"
	"tileserver/gpu/child"
	"tileserver/gpu/gather"
	"tileserver/gpu/route"
	"tileserver/gpu/trial"
	"tileserver/gpu/webgpu"
	"tileserver/http/admin"

	deflate "tileserver/codec/deflate/kernel"
	tier1 "tileserver/decode/jp2k/tier1/kernel"
)

// samples returns typical work for each kernel of the program.
func samples() []trial.Sample { return []trial.Sample{tier1.Sample, deflate.Sample} }

// picturesOfBatch is how many cheap pictures more may be rendered at a time if there is a GPU. A batch is
// worth it from some hundreds of code-blocks on, of which a picture has about two hundred.
const picturesOfBatch = 32

// openDevice opens the GPU of the server, if it is to have one.
func (s *server) openDevice() error {
	isStrict := s.config.GPU == config.GPUStrict
	switch {
	case s.config.GPU == config.GPUOff, !webgpu.IsBuilt && !isStrict:
		return nil
	case !webgpu.IsBuilt:
		return s.config.At("gpu").Mistakef("strict needs a program that was built for GPUs, with the tag gpu")
	}
	process, err := newDevice(s.config.GPUDevice, int64(s.config.GPUMemory), s.logger.Logger)
	if err != nil {
		return err
	}
	s.deviceProcess, s.device = process, device.New(device.Config{
		Executor: process, Samples: samples(), Mode: route.Mode(s.config.GPU), Workers: s.config.Workers,
		State: s.state.values, Build: builtFrom().commit, Logger: s.logger.Logger,
	})
	if !isStrict {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), gpuStartTime)
	defer cancel()
	if err := s.device.Gatherer.Prepare(ctx); err != nil {
		return errors.Join(fmt.Errorf("GPU: %w", err), s.device.Close())
	}
	return nil
}

// deviceStats returns what tells of the GPU, or nil if there is none.
func (s *server) deviceStats() func() admin.DeviceStats {
	if s.device == nil {
		return nil
	}
	return func() admin.DeviceStats {
		process := s.deviceProcess.Stats()
		return admin.DeviceStats{
			IsReady: process.State == child.Ready, Starts: process.Starts, Failures: process.Failures,
			Gathered: s.device.Gatherer.Stats(), Estimates: s.device.Router.Estimates(),
		}
	}
}

// gatherer returns what gathers work for the GPU, or nil.
func (s *server) gatherer() *gather.Gatherer {
	if s.device == nil {
		return nil
	}
	return s.device.Gatherer
}

func (s *server) closeDevice() {
	if s.device == nil {
		return
	}
	if err := s.device.Close(); err != nil {
		s.logger.Warn("GPU cannot be closed", "err", err)
	}
}
