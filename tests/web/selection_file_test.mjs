// A selection as CSV and JSON: what is written is read back, whatever ids and classes look like.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sure_from, telling_of } from '../../web/src/contrast.js';
import { as_csv, as_json, find_items, parse_csv, read_items } from '../../web/src/selection_file.js';
import { best_of } from '../../web/src/source/ranking.js';
import { SparseRows } from '../../web/src/source/sparse_rows.js';
import { elected, vote_of } from '../../web/src/source/vote.js';
import { random } from './fixture.mjs';

const kIds = ['plain', 'with, comma', 'with "quotes"', 'two\nlines', '', ' spaces ', '=1+1', '👾', '__proto__', '"', ',', '\r\n', 'item'];
const items = kIds.map((id, item) => ({ item, id, label: item % 3 ? item % 3 : null, class: item % 3 ? kIds[item % 3] : null, features: { 4: 0.5, [item]: 1e-7 } }));
const page = { overview: { data: { spec: 'sprites', split: 'test' }, runs: [{ name: 'ncl' }] }, names: { document: () => ({ features: { 4: { name: '<b>', note: '' }, 5: { name: '', note: 'n' } } }) } };

test('CSV comes back field by field', () => {
  const lines = parse_csv(as_csv(items));
  assert.deepEqual(lines[0].slice(0, 5), ['item', 'id', 'label', 'class', 'f0']);
  assert.equal(lines.length, items.length + 1);
  items.forEach((item, at) => assert.deepEqual(lines[at + 1].slice(0, 4), [String(item.item), item.id, item.label === null ? '' : String(item.label), item.class ?? '']));
  assert.deepEqual(lines[2].slice(4), ['0', '1e-7', ...Array(2).fill('0'), '0.5', ...Array(8).fill('0')].slice(0, lines[0].length - 4));
});

test('items are found again by CSV and JSON, in another order of the data too', () => {
  const turned = [...kIds].reverse();
  for (const text of [as_csv(items), `\uFEFF${as_csv(items)}`, as_json(page, 0, 'f1 > 0', items)]) {
    const wanted = read_items(text);
    assert.deepEqual(wanted.map(({ id }) => id), kIds);
    assert.deepEqual(find_items(wanted, kIds), { items: [...kIds.keys()], missing: 0 });
    assert.deepEqual(find_items(wanted, turned).items.map((item) => turned[item]), kIds);
    assert.deepEqual(find_items(wanted, ['plain', 'another']), { items: [0], missing: kIds.length - 1 });
  }
  assert.deepEqual(find_items(read_items('Item\n3\n99\nx\n'), kIds), { items: [3], missing: 2 });
  assert.deepEqual(find_items(read_items('class,ID\ncat,plain\ncat,👾\n'), kIds), { items: [0, 7], missing: 0 });
});

test('the same id twice is told apart by number', () => {
  assert.deepEqual(find_items([{ item: 2, id: 'a' }, { item: 0, id: 'a' }], ['a', 'b', 'a']).items, [2, 0]);
});

test('other files are refused in words', () => {
  for (const [text, message] of [
    ['', /names a column "id" or "item", got none/],
    ['a,b\n1,2\n', /names a column/],
    ['id\n"open', /closing "/],
    ['{"format":"orthant.names.1","features":{}}', /orthant\.selection\.1/],
    ['{"format":"orthant.selection.1","items":3}', /list of items/],
    ['[1,2', /that is none/],
    ['null', /names a column/],
  ]) assert.throws(() => read_items(text), message, text);
  assert.deepEqual(read_items('{"format":"orthant.selection.1","items":[null,7,{"item":-1},{"id":5,"item":"2"}]}'), [{ item: null, id: null }, { item: null, id: null }, { item: null, id: null }, { item: 2, id: null }]);
});

test('the best are found as sorting finds them', () => {
  const next = random(9);
  for (let round = 0; round < 40; ++round) {
    const scores = Float64Array.from({ length: 1 + Math.floor(next() * 60) }, () => Math.floor(next() * 8));
    const among = next() < 0.5 ? null : Uint8Array.from(scores, () => Number(next() < 0.6));
    const most = Math.floor(next() * 12);
    const sorted = [...scores.keys()].filter((item) => !among || among[item]).sort((x, y) => scores[y] - scores[x] || x - y);
    assert.deepEqual(best_of(scores, most, among), sorted.slice(0, most));
  }
});

test('a contrast by hand: rates, means, lift, share and standard errors', () => {
  const rows = new SparseRows(Uint32Array.of(0, 2, 3, 3, 4), Uint16Array.of(0, 1, 0, 1), Float32Array.of(1, 2, 3, -2));
  const contrast = rows.contrast(Uint8Array.of(1, 1, 0, 0), 3);
  assert.deepEqual([contrast.items, contrast.others], [2, 2]);
  assert.deepEqual(contrast.features[0], { feature: 0, firing: 2, firing_others: 0, mean: 2, mean_others: 0, deviation: Math.sqrt(10 / 4 - 1) });
  assert.deepEqual(contrast.features[1], { feature: 1, firing: 1, firing_others: 1, mean: 1, mean_others: -1, deviation: Math.sqrt(2) });
  const [first, second] = telling_of(contrast);
  assert.deepEqual([first.feature, first.lift, first.share, first.rate, first.rate_others], [0, 2, 1, 1, 0]);
  // Of the six ways to take two of four items, the mean of feature 0 has variance (1.5 / 2) (4 - 2) / (4 - 1).
  assert.ok(Math.abs(first.surety - 1 / Math.sqrt((1.5 / 2) * (2 / 3))) < 1e-12);
  assert.deepEqual([second.feature, second.lift, second.share], [1, 1, 0.5]);
  assert.equal(telling_of(rows.contrast(new Uint8Array(4), 3))[0].surety, 0);
  assert.equal(telling_of(contrast).length, 2, 'a feature that never fires is not told');
});

test('random items differ by more than chance in at most a few of a hundred selections', () => {
  const next = random(11);
  const [items_, features] = [400, 32];
  const indptr = Uint32Array.from({ length: items_ + 1 }, (_, at) => at * features);
  const rows = new SparseRows(indptr, Uint16Array.from({ length: items_ * features }, (_, at) => at % features), Float32Array.from({ length: items_ * features }, () => (next() < 0.2 ? next() : 0)));
  let beyond = 0;
  for (let round = 0; round < 100; ++round) {
    const told = telling_of(rows.contrast(Uint8Array.from({ length: items_ }, () => Number(next() < 0.2)), features));
    beyond += Number(told.some(({ surety }) => surety > sure_from(features)));
  }
  assert.ok(beyond <= 4, `${beyond} of 100`);
});

test('a vote goes to the most frequent, of equals to the nearer', () => {
  assert.equal(elected([2, 1, 1, 2]), 2);
  assert.equal(elected([0, 1, 1]), 1);
  assert.equal(elected([]), -1);
  const near = [[1, 2], [0, 2], [3, 0], [2, 1]];
  const vote = vote_of(Int32Array.of(0, 0, 1, -1), 2, 2, (item) => near[item]);
  assert.deepEqual(vote.counts, [[2, 0], [1, 0]]);
  assert.deepEqual([vote.judged, vote.unlabelled, vote.accuracy, vote.commonest, vote.worst, vote.k], [3, 1, 2 / 3, 2 / 3, 1, 2]);
  assert.deepEqual(vote.mistakes, [{ label: 1, predicted: 0, items: 1, share: 1 }]);
});

test('rows chosen from others are the same rows, and cosines those of explanations', () => {
  const rows = new SparseRows(Uint32Array.of(0, 2, 2, 4), Uint16Array.of(0, 3, 1, 3), Float32Array.of(1, 2, -1, 0.5));
  const some = rows.subset([2, 0, 2, 1]);
  assert.deepEqual([some.all(0), some.all(1), some.all(2), some.all(3)], [rows.all(2), rows.all(0), rows.all(2), []]);
  const cosines = rows.cosines(Float32Array.of(1, 0, 0, 2));
  assert.ok(Math.abs(cosines[0] - 1) < 1e-12 && cosines[1] === 0 && Math.abs(cosines[2] - rows.explain(0, 2).score) < 1e-12);
});
