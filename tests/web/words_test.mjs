// Numbers as text, and the orders of features, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { features_by_word } from '../../web/src/feature_by_word.js';
import { few_samples, ordered } from '../../web/src/feature_order.js';
import { percent } from '../../web/src/format.js';
import { marked_parts } from '../../web/src/word_marks.js';

test('a share that is not zero is never written as zero', () => {
  assert.deepEqual([0, 1e-6, 4.9e-5, 5e-5, 0.0012, 0.034, 0.5, 1].map((share) => percent(share)), ['0 %', '< 0.01 %', '< 0.01 %', '0.01 %', '0.1 %', '3.4 %', '50 %', '100 %']);
  assert.equal(percent(1e-6, 0), '0 %');
  assert.equal(percent(null), '–');
});

test('features that fire on few samples come last, where few depends on how many there are', () => {
  assert.deepEqual([1, 10, 36, 40, 10000].map(few_samples), [1, 3, 9, 10, 10]);
  const feature = (number, firing_rate, consistency) => ({ feature: number, firing_rate, consistency, flags: [], class: 0 });
  const features = [feature(0, 1, 0.5), feature(1, 0.4, 0.8), feature(2, 0.2, 1)];
  const order = (items) => ordered(features, items, { sort: 'consistency' }, () => '').map(({ feature: number }) => number);
  assert.deepEqual(order(10), [1, 0, 2], 'on 10, 4 and 2 of 10 items');
  assert.deepEqual(order(100), [2, 1, 0], 'on 100, 40 and 20 of 100 items');
});

test('features are found by their words: the word itself first, then by its place, then words that begin like it', () => {
  const words = (...list) => list.map((word) => ({ word, items: 9, with: 1, without: 0 }));
  const features = [
    { feature: 0, words: words('dogs', 'red'), negative: null },
    { feature: 1, words: words('grass', 'dog'), negative: null },
    { feature: 2, words: words('cat'), negative: { words: words('dog') } },
    { feature: 3, words: [], negative: null },
  ];
  assert.deepEqual(features_by_word(features, ' Dog '), [2, 1, 0]);
  assert.deepEqual(features_by_word(features, 'zebra'), []);
  assert.deepEqual(features_by_word(features, ' '), []);
});

test('the words that make a feature are marked wherever they stand, however they are written', () => {
  const strengths = (text, marks) => marked_parts(text, marks).filter(({ strength }) => strength !== null).map(({ text: word, strength }) => [word, strength]);
  const marks = [['orbit', 0.8], ["don\u0027t", 0.4], ['the', 0.01], ['rain', -0.5]];
  assert.deepEqual(strengths('The ORBIT: an orbit, orbital; don\u2019t rain', marks), [['ORBIT', 1], ['orbit', 1], ['don\u2019t', 0.5]]);
  assert.equal(marked_parts('The ORBIT, again', marks).map(({ text }) => text).join(''), 'The ORBIT, again');
  assert.deepEqual(marked_parts('nothing here', []), [{ text: 'nothing here', strength: null }]);
  assert.deepEqual(marked_parts('', marks), []);
});
