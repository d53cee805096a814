import assert from "node:assert/strict";
import { test } from "node:test";
import { axisOf, bandNumbers, barHeights, histogramOf, limitsOf, moved, percentileOf, sampleAt, within, limitsText } from "../src/histogram";

const bars = { counts: [10, 0, 30, 60], edges: [0, 10, 20, 30, 40] };
const band = {
  min: 0, max: 40, mean: 25, std: 10, median: 30, percentile_2: 2, percentile_98: 38, count: 100, valid_percent: 100,
  histogram: [bars.counts, bars.edges],
};

test("bands are in order of their numbers", () => assert.deepEqual(bandNumbers({ b10: {}, b2: {}, b1: {} }), [1, 2, 10]));
test("a band without samples has no bars", () => assert.equal(histogramOf({ ...band, histogram: null }), undefined));
test("the highest bar is 1, and one of a quarter is half as high", () => assert.deepEqual(barHeights([4, 1, 0]), [1, 0.5, 0]));
test("no counts are no bars", () => assert.deepEqual(barHeights([0, 0]), [0, 0]));

const percentiles = [[0, 0], [5, 5], [10, 10], [25, 25], [40, 30], [70, 35], [100, 40]];
for (const [percent, want] of percentiles) {
  test(`${percent} of 100 pixels lie below ${want}`, () => assert.equal(percentileOf(bars, percent), want));
}

const stretches = [
  ["none", [0, 255]],
  ["minmax", [0, 40]],
  ["percentile:2,98", [2, 38]],
  ["percentile", [2, 38]],
  ["percentile:5,70", [5, 35]],
  ["dra", [0, 40]], // 2 - 0.2*36 and 38 + 0.4*36 are beyond the samples
  ["stddev", [5, 40]],
  ["stddev:1", [15, 35]],
  ["tile", undefined],
];
for (const [stretch, want] of stretches) {
  test(`limits of ${stretch}`, () => assert.deepEqual(limitsOf(band, stretch), want));
}
test("dra goes beyond its percentiles", () =>
  assert.deepEqual(limitsOf({ ...band, min: -100, max: 100, percentile_2: 0, percentile_98: 10 }, "dra"), [-2, 14]));
test("a band without samples has no limits", () => assert.equal(limitsOf({ ...band, min: null }, "minmax"), undefined));

test("the axis holds limits outside the samples", () => {
  const [low, high] = axisOf(bars, [-60, 40]);
  assert.ok(low < -60 && high > 40 && high < 45, `${low} to ${high}`);
});
test("the axis of equal samples has some room", () => {
  const [low, high] = axisOf({ counts: [5], edges: [7, 7] }, [7, 7]);
  assert.ok(low < 7 && high > 7, `${low} to ${high}`);
});
test("there and back", () => assert.equal(sampleAt([0, 200], within([0, 200], 50), true), 50));
test("whole samples stay whole", () => assert.equal(sampleAt([0, 255], 0.4999, true), 127));
test("samples of floats have the digits that count", () => assert.equal(sampleAt([0, 1], 0.33333333, false), 0.333));
test("parts beyond the axis are its ends", () => assert.deepEqual([sampleAt([0, 10], -1, false), sampleAt([0, 10], 2, false)], [0, 10]));
test("a limit never passes the other", () => {
  assert.deepEqual(moved([10, 20], 0, 30), [20, 20]);
  assert.deepEqual(moved([10, 20], 1, 5), [10, 10]);
  assert.deepEqual(moved([10, 20], 1, 25), [10, 25]);
});

test("limits are told in as many digits as matter", () => {
  assert.equal(limitsText([[193.2, 3418.7]]), "stretch 193–3419");
  assert.equal(limitsText([[-0.2, 0.8]]), "stretch −0.2–0.8");
  assert.equal(limitsText([[1, 2], [1, 2]]), "stretch 1–2");
  assert.equal(limitsText([[1, 2], [1, 3]]), "stretch by band");
});
