// What the page computes of two rows, against the golden file that orthant/catalogue meets as well.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SparseRows } from '../../web/src/source/sparse_rows.js';

const kRounding = 1e-12;
const cases = JSON.parse(readFileSync(new URL('../golden/catalogue/explain.json', import.meta.url), 'utf8'));

const near = (value, expected, what) => assert.ok(Math.abs(value - expected) <= kRounding * Math.max(1, Math.abs(expected)), `${what}: ${value} is not ${expected}`);

function rows_of({ a, b }) {
  const stored = [...a, ...b];
  return new SparseRows(
    Uint32Array.of(0, a.length, stored.length),
    Uint16Array.from(stored, ([column]) => column),
    Float32Array.from(stored, ([, value]) => value),
  );
}

test('there are cases', () => assert.ok(cases.length >= 16));

test('the features of an item are those that fire', () => {
  const rows = new SparseRows(Uint32Array.of(0, 4, 5), Uint16Array.of(0, 1, 2, 3, 2), Float32Array.of(1, 9e-6, -2, 2e-5, 1e-6));
  assert.deepEqual(rows.entries(0).map(({ feature }) => feature), [2, 0, 3]);
  assert.equal(rows.active(0), 3);
  assert.deepEqual(rows.entries(1), []);
});

for (const one of cases) {
  test(`the page explains as NumPy does: ${one.name}`, () => {
    const rows = rows_of(one);
    one.norms.forEach((norm, row) => assert.ok(Math.abs(rows.norm(row) - norm) <= kRounding * norm));
    assert.deepEqual([rows.active(0), rows.active(1)], one.active);
    const why = rows.explain(0, 1);
    near(why.score, one.score, 'score');
    assert.equal(why.shared, one.parts.length);
    assert.deepEqual(why.parts.map(({ feature, a, b }) => ({ feature, a, b })), one.parts.map(({ feature, a, b }) => ({ feature, a, b })));
    why.parts.forEach(({ contribution }, at) => near(contribution, one.parts[at].contribution, `part ${at}`));
  });
}
