// The query language on the page: the golden file that orthant/query meets as well, and what helps to write it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { completions } from '../../web/src/query/complete.js';
import { evaluate } from '../../web/src/query/evaluate.js';
import { chips_of, joined_with, needs_of, parse_filter } from '../../web/src/query/filter.js';
import { QueryError } from '../../web/src/query/scanner.js';
import { nearest, Vocabulary } from '../../web/src/query/vocabulary.js';
import { parse_weights, written_weights } from '../../web/src/query/weights.js';
import { random } from './fixture.mjs';

const golden = JSON.parse(readFileSync(new URL('../golden/query/filters.json', import.meta.url), 'utf8'));
const words = new Vocabulary(golden.features.length, golden.features, golden.classes);
const known = {
  items: golden.items.length,
  columns: new Map(golden.features.map((_, feature) => [feature, Float32Array.from(golden.items, ({ values }) => values[feature])])),
  labels: Int32Array.from(golden.items, (item) => golden.classes.indexOf(item.class)),
  ids: golden.items.map(({ id }) => id),
};
const items_of = (text) => {
  const mask = evaluate(parse_filter(text, words), known);
  return [...mask.keys()].filter((item) => mask[item]);
};

test('there are cases', () => assert.ok(golden.cases.length >= 130 && golden.weights.length >= 20));

for (const { filter, items, error } of golden.cases) {
  test(`the page understands ${JSON.stringify(filter).slice(0, 60)} as the golden file does`, () => {
    if (error) assert.throws(() => parse_filter(filter, words), QueryError);
    else assert.deepEqual(items_of(filter), items);
  });
}

for (const { weights, vector, error } of golden.weights) {
  test(`weights ${JSON.stringify(weights)}`, () => {
    if (error) return assert.throws(() => parse_weights(weights, words), QueryError);
    const found = parse_weights(weights, words).sort((x, y) => x.feature - y.feature);
    return assert.deepEqual(found.map(({ feature, weight }) => [feature, Math.fround(weight)]), vector);
  });
}

test('a name or class that is not there is answered with the nearest', () => {
  const fault = (text) => {
    try {
      parse_filter(text, words);
    } catch (error) {
      return error;
    }
    return null;
  };
  assert.match(fault('whel > 1').message, /^expected a feature, got 'whel'; did you mean wheel\?$/);
  assert.deepEqual([fault('fur and whel > 1').at, fault('fur and whel > 1').end, fault('whel').suggestion], [8, 12, 'wheel']);
  assert.equal(fault('"red cat"').suggestion, '"red car"');
  assert.equal(fault('class=dig').suggestion, 'dog');
  assert.match(fault('f12').message, /from f0 to f11/);
  assert.match(fault('class=zzzzzz').message, /there is cat, dog/);
  assert.equal(nearest('qqqq', ['wheel', 'fur']), null);
});

test('any name, class or id can be written, and means itself again', () => {
  const next = random(3);
  const letters = ['a', 'Z', '"', '\\', ' ', '(', ')', ',', '=', '<', '>', '!', '~', '\n', 'é', '👾', '-', '_', '7', 'not', 'and', 'class'];
  for (let round = 0; round < 300; ++round) {
    const text = Array.from({ length: 1 + Math.floor(next() * 6) }, () => letters[Math.floor(next() * letters.length)]).join('');
    const own = new Vocabulary(3, ['', text, 'other'], ['x', text]);
    assert.deepEqual({ ...parse_filter(own.written(1), own), from: 0, to: 0 }, { kind: 'feature', feature: 1, sign: '>', value: 0, from: 0, to: 0 }, JSON.stringify(text));
    assert.equal(parse_filter(`class=${own.written_value(text)}`, own).label, 1, JSON.stringify(text));
    assert.equal(parse_filter(`id~${own.written_value(text)}`, own).text, text);
    assert.deepEqual(parse_weights(written_weights([{ feature: 0, weight: 0.5 }, { feature: 1, weight: -2 }], own), own), [{ feature: 0, weight: 0.5 }, { feature: 1, weight: -2 }]);
  }
  const turned = new Vocabulary(3, ['f1', '', ''], []);
  assert.equal(parse_filter(turned.written(1), turned).feature, 1, 'a feature whose number another has for a name');
});

test('text at random is understood or refused in words, never anything else', () => {
  const next = random(5);
  const parts = ['wheel', 'fur', 'f1', 'f99', 'and', 'or', 'not', '(', ')', '>', '<=', '=', '!=', '~', '0.3', '1e', '-', 'class', 'id', 'cat', '"', '\\', ' ', ',', '\0', '👾', '__proto__', 'constructor'];
  let understood = 0;
  for (let round = 0; round < 5000; ++round) {
    const text = Array.from({ length: 1 + Math.floor(next() * 9) }, () => parts[Math.floor(next() * parts.length)]).join(next() < 0.8 ? ' ' : '');
    for (const parse of [(query) => evaluate(parse_filter(query, words), known), (query) => parse_weights(query, words)]) {
      try {
        parse(text);
        ++understood;
      } catch (error) {
        assert.ok(error instanceof QueryError, `${JSON.stringify(text)}: ${error}`);
        assert.ok(error.at >= 0 && error.at <= text.length && /^expected /.test(error.message), error.message);
      }
    }
    assert.ok(Array.isArray(completions(text, words, () => '')));
  }
  assert.ok(understood > 50);
});

test('conditions can be taken out and added without changing what the others mean', () => {
  const chips = (text) => chips_of(text, parse_filter(text, words));
  assert.deepEqual(chips('wheel > 0.1 and not (fur or f9) and class=cat'), ['wheel > 0.1', 'not (fur or f9)', 'class=cat']);
  assert.deepEqual(chips('wheel or fur'), ['wheel or fur']);
  assert.deepEqual(chips('(wheel and fur)'), ['(wheel and fur)']);
  for (const { filter, error } of golden.cases.filter((one) => !one.error && !one.filter.startsWith('(('))) {
    assert.ok(!error);
    const all = chips(filter);
    assert.deepEqual(items_of(all.join(' and ')), items_of(filter), filter);
    const more = joined_with(filter, parse_filter(filter, words), 'not fur');
    const without = new Set(items_of('not fur'));
    assert.deepEqual(items_of(more), items_of(filter).filter((item) => without.has(item)), more);
  }
  assert.equal(joined_with('', null, 'fur'), 'fur');
  assert.deepEqual(needs_of(parse_filter('wheel and not (fur or id~x) or class=cat', words)), { features: [0, 1], ids: true });
});

test('completions fit the place', () => {
  const offered = (text) => completions(text, words, () => 'about').map((one) => text.slice(0, one.from) + one.text);
  assert.deepEqual(offered('wh'), ['wheel ']);
  assert.ok(offered('').includes('class='));
  assert.deepEqual(offered('wheel '), ['wheel and ', 'wheel or ']);
  assert.deepEqual(offered('wheel > 0.3 a'), ['wheel > 0.3 and ']);
  assert.deepEqual(offered('class=a').slice(0, 3), ['class="air plane" ', 'class=and ', 'class=a.b/c ']);
  assert.deepEqual(offered('fur and "red'), ['fur and "red car" ']);
  assert.ok(offered('fur and not ').includes('fur and not wheel '));
  assert.deepEqual(offered('f2'), ['f2 ']);
  assert.deepEqual(offered('fur > '), []);
  assert.deepEqual(offered('id~'), []);
});
