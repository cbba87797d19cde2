import { fixed, number, plural } from '../format.js';
import { side_of_value } from '../sides.js';
import { NamedFeature } from './named_feature.jsx';
import { Term } from './term.jsx';

/** A row without a feature: what else is in the sum. @param {{name: import('preact').ComponentChildren, value: number}} props */
const More = ({ name, value }) => (
  <tr>
    <th scope="row">{name}</th>
    <td />
    <td />
    <td class="numeric">{fixed(value, 3)}</td>
    <td />
  </tr>
);

/**
 * What makes the score of a class: features, bias and the rest, which add up to it.
 * @param {{run: number, score: import('../source/contract.js').Score, mean?: boolean}} props  `mean`: over many items
 */
export function ScoreTable({ run, score, mean = false }) {
  const { parts, others, bias } = score;
  const largest = parts.reduce((most, { value }) => Math.max(most, Math.abs(value)), 0);
  const sum = parts.reduce((total, { value }) => total + value, 0) + others.value + (bias ?? 0);
  return (
    <table class="bars parts" data-score={score.score} data-sum={sum}>
      <thead>
        <tr>
          <th scope="col">Feature</th>
          <th scope="col" class="numeric">{mean ? 'mean value' : 'value'}</th>
          <th scope="col" class="numeric"><Term id="weight">weight</Term></th>
          <th scope="col" class="numeric"><Term id="added">adds</Term></th>
          <th scope="col"><span class="visually-hidden">What it adds as a bar</span></th>
        </tr>
      </thead>
      <tbody>
        {parts.map((part) => (
          <tr key={part.feature}>
            <th scope="row"><NamedFeature run={run} feature={part.feature} side={side_of_value(part.activation)} /></th>
            <td class="numeric">{number(part.activation)}</td>
            <td class="numeric">{number(part.weight)}</td>
            <td class="numeric">{fixed(part.value, 3)}</td>
            <td class="bar-cell"><span class="bar"><i class={part.value < 0 ? 'negative' : ''} style={{ width: `${(Math.abs(part.value) / largest) * 100}%` }} /></span></td>
          </tr>
        ))}
        {others.features > 0 && <More name={plural(others.features, 'other feature')} value={others.value} />}
        {bias !== null && <More name={<Term id="bias">bias</Term>} value={bias} />}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Sum = {mean ? 'mean score' : 'score'}</th>
          <td />
          <td />
          <td class="numeric">{fixed(sum, 3)}</td>
          <td />
        </tr>
      </tfoot>
    </table>
  );
}
