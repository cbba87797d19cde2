import { useId } from 'preact/hooks';
import { number } from '../format.js';
import { NamedFeature } from '../part/named_feature.jsx';
import { Term } from '../part/term.jsx';
import { change_query } from '../route.js';

/** @typedef {import('../source/contract.js').FeatureMarks} FeatureMarks */

/** The feature whose words are marked: the one that the address asks for, or the strongest. @param {FeatureMarks[]} marks @param {string|undefined} wanted */
export const chosen_marks = (marks, wanted) => marks.find(({ feature }) => String(feature) === wanted) ?? marks[0];

/** One line of the sum. @param {{what: import('preact').ComponentChildren, value: number, largest: number}} props */
function Share({ what, value, largest }) {
  return (
    <tr>
      <th scope="row">{what}</th>
      <td>
        <span class="bar"><i class={value < 0 ? 'negative' : ''} style={{ width: `${(Math.abs(value) / largest) * 100}%` }} /></span>
        <span class="numbers">{number(value)}</span>
      </td>
    </tr>
  );
}

/** How a text comes to one of its features: what each word adds. @param {{run: number, marks: FeatureMarks[], chosen: FeatureMarks}} props */
export function ItemWordShares({ run, marks, chosen }) {
  const id = useId();
  const largest = Math.max(...chosen.words.map(([, share]) => Math.abs(share)), Math.abs(chosen.others), Math.abs(chosen.rest), 1e-9);
  return (
    <section aria-labelledby={id} class="item-words">
      <h2 id={id}><Term id="word_share">Words that make a feature</Term></h2>
      <div class="controls">
        <label class="choice">
          <span>Feature</span>
          <select value={chosen.feature} onChange={(event) => change_query({ words: event.currentTarget.value })}>
            {marks.map(({ feature }) => <option key={feature} value={feature}>{feature}</option>)}
          </select>
        </label>
        <NamedFeature run={run} feature={chosen.feature} side="positive" />
      </div>
      <table class="bars">
        <thead><tr><th scope="col">Word</th><th scope="col">adds</th></tr></thead>
        <tbody>
          {chosen.words.map(([word, share]) => <Share key={word} what={word} value={share} largest={largest} />)}
          <Share what="all other words" value={chosen.others} largest={largest} />
          <Share what="without any word" value={chosen.rest} largest={largest} />
        </tbody>
        <tfoot><tr><th scope="row">together</th><td class="numbers">{number(chosen.value)}</td></tr></tfoot>
      </table>
    </section>
  );
}
