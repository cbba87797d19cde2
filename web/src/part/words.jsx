import { usePage } from '../context.js';
import { items_of } from '../feature_order.js';
import { count, number, shortened } from '../format.js';

/** @typedef {import('../source/contract.js').Word} Word */

/** The first words of a feature, each with its numbers on hover. @param {{words: Word[], most: number}} props */
export function Words({ words, most }) {
  const { overview } = usePage();
  const others = (/** @type {Word} */ word) => count(items_of(overview) - word.items);
  return (
    <span class="words">
      {words.slice(0, most).map((word) => (
        <span key={word.word} class="word" title={`mean ${number(word.with)} over the ${count(word.items)} items with this word, ${number(word.without)} over the ${others(word)} without`}>
          {shortened(word.word, 24)}
        </span>
      ))}
    </span>
  );
}
