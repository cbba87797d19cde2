import { useId } from 'preact/hooks';
import { count, fixed, number, percent, plural } from '../format.js';
import { Empty } from '../load.jsx';
import { NamedFeature } from '../part/named_feature.jsx';
import { ItemTile } from '../part/item_tile.jsx';
import { Term } from '../part/term.jsx';
import { useSwitch } from '../route.js';
import { side_of_value } from '../sides.js';

const kFirst = 12;
const kStrongest = 3;

/** @typedef {import('../source/contract.js').Part} Part */

/** @param {{parts: Part[]}} props */
function Rest({ parts }) {
  if (parts.length === 0) return null;
  const sum = parts.reduce((total, part) => total + part.contribution, 0);
  return (
    <tr>
      <th scope="row">{plural(parts.length, 'other feature')}</th>
      <td />
      <td />
      <td class="numeric">{fixed(sum, 6)}</td>
      <td />
    </tr>
  );
}

/** How much the first parts make; said only where there are more, and parts cannot cancel each other. @param {Part[]} parts @param {number} score */
function first_parts(parts, score) {
  if (parts.length <= kStrongest || !(score > 0) || parts.some((part) => part.contribution < 0)) return '';
  const share = parts.slice(0, kStrongest).reduce((total, part) => total + part.contribution, 0) / score;
  return `; the first ${kStrongest} make ${percent(share, 0)} of the similarity`;
}

/**
 * The features that both have, with a last row for those that are not shown.
 * @param {{run: number, parts: Part[], shown: Part[], sum: number}} props  `shown` are the first of the parts
 */
function Parts({ run, parts, shown, sum }) {
  const largest = parts.reduce((most, part) => Math.max(most, Math.abs(part.contribution)), 0);
  return (
    <table class="bars parts">
      <thead>
        <tr>
          <th scope="col">Shared feature</th>
          <th scope="col" class="numeric">this one</th>
          <th scope="col" class="numeric">the other</th>
          <th scope="col" class="numeric"><Term id="contribution">contribution</Term></th>
          <th scope="col"><span class="visually-hidden">Contribution as a bar</span></th>
        </tr>
      </thead>
      <tbody>
        {shown.map((part) => (
          <tr key={part.feature}>
            <th scope="row"><NamedFeature run={run} feature={part.feature} side={side_of_value(part.a)} /></th>
            <td class="numeric">{number(part.a)}</td>
            <td class="numeric">{number(part.b)}</td>
            <td class="numeric">{fixed(part.contribution, 6)}</td>
            <td class="bar-cell"><span class="bar"><i class={part.contribution < 0 ? 'negative' : ''} style={{ width: `${(Math.abs(part.contribution) / largest) * 100}%` }} /></span></td>
          </tr>
        ))}
        <Rest parts={parts.slice(shown.length)} />
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Sum = similarity</th>
          <td />
          <td />
          <td class="numeric">{fixed(sum, 6)}</td>
          <td />
        </tr>
      </tfoot>
    </table>
  );
}

/**
 * Why two items match: the features that both have, with contributions that add up to the similarity. The first is
 * item `a`, or a `picture` from elsewhere.
 * @param {{run: number, a?: number, b: number, score: number, parts: Part[], shared: number,
 *   picture?: import('preact').ComponentChildren}} props
 */
export function Explanation({ run, a, b, score, parts, shared, picture }) {
  const id = useId();
  const [all, set_all] = useSwitch(`parts${run}`);
  const shown = all ? parts : parts.slice(0, kFirst);
  const sum = parts.reduce((total, part) => total + part.contribution, 0);
  return (
    <section aria-labelledby={id} class="why" data-score={score} data-sum={sum}>
      <h2 id={id}>Why they match</h2>
      <div class="pair">
        {a === undefined ? picture : <ItemTile run={run} item={a} size={96} />}
        <span class="pair-score"><b class="numbers">{fixed(score, 3)}</b> <Term id="score">similarity</Term></span>
        <ItemTile run={run} item={b} size={96} />
        <p>
          {shared === 0
            ? 'They share no feature, so their similarity is zero.'
            : `They share ${plural(shared, 'feature')}${first_parts(parts, score)}.`}
        </p>
      </div>
      {parts.length === 0 ? (
        <Empty>No shared features.</Empty>
      ) : (
        <>
          <Parts run={run} parts={parts} shown={shown} sum={sum} />
          {parts.length > kFirst && (
            <p><button type="button" aria-expanded={all} onClick={() => set_all(!all)}>{all ? `Show the largest ${kFirst}` : `Show all ${count(parts.length)}`}</button></p>
          )}
        </>
      )}
    </section>
  );
}
