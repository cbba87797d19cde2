import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { usePage, useRun } from './context.js';
import { items_of } from './feature_order.js';
import { useName } from './names.js';
import { usePicked } from './picked.js';
import { evaluate } from './query/evaluate.js';
import { needs_of, parse_filter } from './query/filter.js';
import { QueryError } from './query/scanner.js';
import { Vocabulary } from './query/vocabulary.js';

/** What the words of a query mean for a run: its names change. @param {number} run @returns {Vocabulary} */
export function useVocabulary(run) {
  const { names, overview } = usePage();
  const { features } = useRun(run);
  useName(names, run, 0);
  const table = names.tables[run];
  return useMemo(() => {
    const list = Array.from({ length: features }, (_, feature) => names.of(run, feature).name);
    return new Vocabulary(features, list, overview.data.classes, names.asked);
  }, [run, table, features, names.asked]);
}

/** What a text means as a filter, or why nothing. @param {string} text @param {Vocabulary} words */
export function read_filter(text, words) {
  if (text.trim() === '') return { filter: null, error: null };
  try {
    return { filter: parse_filter(text, words), error: null };
  } catch (error) {
    if (error instanceof QueryError) return { filter: null, error: words.ready ? error : null };
    throw error;
  }
}

/**
 * Which items a filter leaves.
 * @param {import('./source/contract.js').Source} source
 * @param {number} run
 * @param {import('./query/filter.js').Filter} filter
 */
async function matching(source, run, filter) {
  const needs = needs_of(filter);
  const [labels, ids, ...columns] = await Promise.all([source.labels(), needs.ids ? source.ids() : [], ...needs.features.map((feature) => source.activations(run, feature))]);
  return evaluate(filter, { items: labels.length, labels, ids, columns: new Map(needs.features.map((feature, at) => [feature, columns[at]])) });
}

/**
 * The items that are chosen.
 * @typedef {object} Chosen
 * @property {Uint8Array|null} mask  1 or 0 for each item; null: all of them
 * @property {number} count
 * @property {number} total
 * @property {number} round  which filter it is of: those that leave equally many differ in it
 */

/** @param {Uint8Array} mask */
const counted = (mask) => mask.reduce((sum, on) => sum + on, 0);

/**
 * What the filter of the address, and with `hand` the items picked by hand, leave. Until that is known, what was known before.
 * @param {number} run
 * @param {import('./route.js').Query} query
 * @param {{hand?: boolean}} [options]
 * @returns {{chosen: Chosen|null, error: Error|null, waiting: boolean}}
 */
export function useChosen(run, query, { hand = false } = {}) {
  const { source, overview, picked } = usePage();
  const words = useVocabulary(run);
  usePicked(picked);
  const text = query.filter ?? '';
  const { filter, error } = useMemo(() => read_filter(text, words), [text, words]);
  const wanted = filter ? `${run} ${text}` : '';
  const [found, set_found] = useState(/** @type {{wanted: string, mask: Uint8Array|null, error: Error|null, round: number}} */ ({ wanted: '', mask: null, error: null, round: 0 }));
  const latest = useRef('');
  latest.current = wanted;
  useEffect(() => {
    if (!filter) return;
    const settle = (/** @type {Uint8Array|null} */ mask, /** @type {Error|null} */ failed) => latest.current === wanted && set_found((last) => ({ wanted, mask, error: failed, round: last.round + 1 }));
    matching(source, run, filter).then((mask) => settle(mask, null), (failed) => settle(null, failed));
  }, [source, run, filter, wanted]);
  const total = items_of(overview);
  const unread = text.trim() !== '' && !filter && !error; // until the names have come
  const waiting = unread || (wanted !== '' && found.wanted !== wanted);
  const narrowed = wanted === '' ? null : found.mask;
  const round = narrowed ? found.round : 0; // tells masks with equally many items apart
  const version = hand ? picked.version : 0;
  const chosen = useMemo(() => {
    const by_hand = hand && picked.count > 0 ? picked.mask : null;
    if (!by_hand && !narrowed) return { mask: null, count: total, total, round };
    const mask = by_hand && narrowed ? narrowed.map((on, item) => on & by_hand[item]) : (narrowed ?? Uint8Array.from(by_hand ?? []));
    return { mask, count: counted(mask), total, round };
  }, [narrowed, round, version, hand, total]);
  const failed = error ?? (waiting ? null : found.wanted === wanted && wanted !== '' ? found.error : null);
  return { chosen: unread || (waiting && !found.mask) ? null : chosen, error: failed, waiting };
}

/** The items of a mask, rising. @param {Chosen} chosen @returns {number[]} */
export function items_in({ mask, total }) {
  const list = [];
  for (let item = 0; item < total; ++item) if (!mask || mask[item]) list.push(item);
  return list;
}
