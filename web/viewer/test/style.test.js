import assert from "node:assert/strict";
import { test } from "node:test";
import { changed, parametersOf, queryOf, shortNumber, styleOf, withQuery } from "../src/style";

const styles = [
  ["nothing", {}, ""],
  ["bands", { bands: [3, 2, 1] }, "bidx=3,2,1"],
  ["a range for each band", { rescale: [[0, 10], [5, 20.5]] }, "rescale=0,10&rescale=5,20.5"],
  ["a range before a stretch", { rescale: [[0, 1]], stretch: "dra" }, "rescale=0,1"],
  ["gamma", { gamma: 1.5 }, "color_formula=gamma%20RGB%201.5"],
  ["no gamma", { gamma: 1 }, ""],
  ["a relief without choices", { algorithm: "slope", relief: {} }, "algorithm=slope"],
  ["choices without a relief", { relief: { azimuth: 3 } }, ""],
  ["a plus and an ampersand", { expression: "b1+b2&b3" }, "expression=b1%2Bb2%26b3"],
  ["a semicolon", { expression: "b1;b2;b3" }, "expression=b1%3Bb2%3Bb3"],
];

for (const [name, style, want] of styles) {
  test(`the parameters of ${name}`, () => assert.equal(queryOf(parametersOf(style)), want));
}

test("bands may be given one by one", () => assert.deepEqual(styleOf([["bidx", "1"], ["bidx", "3,2"]]), { bands: [1, 3, 2] }));
test("a formula that the slider cannot say is kept", () =>
  assert.deepEqual(styleOf([["color_formula", "sigmoidal RGB 8 0.4"]]), { others: [["color_formula", "sigmoidal RGB 8 0.4"]] }));
test("a choice can be taken back", () => assert.deepEqual(changed({ gamma: 2, bands: [1] }, { gamma: undefined }), { bands: [1] }));
test("parameters follow others", () => assert.equal(withQuery("a?b=c", [["d", "e"]]), "a?b=c&d=e"));
test("parameters begin a query", () => assert.equal(withQuery("a", [["d", "e"]]), "a?d=e"));
test("no parameters change nothing", () => assert.equal(withQuery("a", []), "a"));
test("numbers are short", () => assert.deepEqual([0.1 + 0.2, 1 / 3, 12345678, -0].map(shortNumber), ["0.3", "0.3333333", "12345680", "0"]));
