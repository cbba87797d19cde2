import { useEffect, useState } from 'preact/hooks';
import { usePage } from './context.js';

/**
 * What blind guessing would score, from how frequent the classes are.
 * @typedef {object} Chance
 * @property {number} largest  share of the commonest class: what always naming it gets right
 * @property {number} same  how often two items drawn at random share a class
 * @property {number} found  how often one of ten items drawn at random has the class of another
 * @property {number} entropy  of the classes, in nats
 */

/** @param {ArrayLike<number>} labels  below 0: unknown @returns {Chance|null} null without labels */
export function chance_of(labels) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const label of Array.from(labels)) if (label >= 0) counts.set(label, (counts.get(label) ?? 0) + 1);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const shares = [...counts.values()].map((count) => count / total);
  const sum = (/** @type {(share: number) => number} */ term) => shares.reduce((all, share) => all + term(share), 0);
  return {
    largest: Math.max(...shares),
    same: sum((share) => share ** 2),
    found: sum((share) => share * (1 - (1 - share) ** 10)),
    entropy: -sum((share) => share * Math.log(share)),
  };
}

/** The chance levels of the page's items, once the labels are there. @returns {Chance|null} */
export function useChance() {
  const { source } = usePage();
  const [chance, set_chance] = useState(/** @type {Chance|null} */ (null));
  useEffect(() => {
    let current = true;
    source.labels().then(
      (labels) => current && set_chance(chance_of(labels)),
      () => {}, // without labels there is no chance level to show
    );
    return () => {
      current = false;
    };
  }, [source]);
  return chance;
}
