import { useMemo, useState } from 'preact/hooks';
import { useChosen, useVocabulary } from '../chosen.js';
import { usePage, useRun } from '../context.js';
import { brief, count, fixed, number, percent, shortened } from '../format.js';
import { Empty, Loaded, useLoad } from '../load.jsx';
import { FeatureField } from '../part/feature_field.jsx';
import { FilterBar } from '../part/filter_bar.jsx';
import { ItemTile } from '../part/item_tile.jsx';
import { NamedFeature } from '../part/named_feature.jsx';
import { Term } from '../part/term.jsx';
import { QueryError } from '../query/scanner.js';
import { parse_weights, written_weights } from '../query/weights.js';
import { change_query, to_item } from '../route.js';
import { best_of } from '../source/ranking.js';

const kShown = 60;
const kMostWeights = 32;

/** @typedef {import('../query/weights.js').Weight} Weight */

/** @param {string} text @param {import('../query/vocabulary.js').Vocabulary} words @returns {{weights: Weight[], error: string|null}} */
function read_weights(text, words) {
  if (text.trim() === '') return { weights: [], error: null };
  try {
    return { weights: parse_weights(text, words).slice(0, kMostWeights), error: null };
  } catch (error) {
    if (error instanceof QueryError) return { weights: [], error: words.ready ? error.message : null };
    throw error;
  }
}

/** A weight as a slider. @param {{run: number, weight: Weight, onChange: (weight: number|null) => void}} props */
function WeightRow({ run, weight: { feature, weight }, onChange }) {
  const reach = Math.max(1, Math.abs(weight));
  return (
    <li class="weight">
      <NamedFeature run={run} feature={feature} samples={3} length={24} />
      <span class="slide">
        <span class="quiet" aria-hidden="true">less</span>
        <input type="range" min={-reach} max={reach} step={0.05} value={weight} aria-label={`Weight of feature ${feature}`} onInput={(event) => onChange(Number(event.currentTarget.value))} />
        <span class="quiet" aria-hidden="true">more</span>
        <output class="numbers">{weight > 0 ? '+' : ''}{fixed(weight, 2)}</output>
        <button type="button" aria-label={`Remove feature ${feature}`} onClick={() => onChange(null)}>×</button>
      </span>
    </li>
  );
}

/** Why an item has its score. @param {{run: number, item: number, score: number, parts: {feature: number, weight: number, activation: number}[]}} props */
function WhyRanked({ run, item, score, parts }) {
  const rows = parts.map((part) => ({ ...part, value: part.weight * part.activation })).sort((x, y) => Math.abs(y.value) - Math.abs(x.value) || x.feature - y.feature);
  const sum = rows.reduce((total, { value }) => total + value, 0);
  const largest = rows.reduce((most, { value }) => Math.max(most, Math.abs(value)), 0) || 1;
  return (
    <section aria-labelledby="why-ranked" class="why" data-score={score} data-sum={sum}>
      <h2 id="why-ranked">Why <a href={to_item(run, item)}>item {item}</a> has {number(score)}</h2>
      <table class="bars parts">
        <thead>
          <tr>
            <th scope="col">Feature</th><th scope="col" class="numeric">value</th><th scope="col" class="numeric">weight</th><th scope="col" class="numeric">adds</th>
            <th scope="col"><span class="visually-hidden">What it adds as a bar</span></th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ feature, activation, weight, value }) => (
            <tr key={feature}>
              <th scope="row"><NamedFeature run={run} feature={feature} samples={3} /></th>
              <td class="numeric">{number(activation)}</td>
              <td class="numeric">{fixed(weight, 2)}</td>
              <td class="numeric">{fixed(value, 4)}</td>
              <td class="bar-cell"><span class="bar"><i class={value < 0 ? 'negative' : ''} style={{ width: `${(Math.abs(value) / largest) * 100}%` }} /></span></td>
            </tr>
          ))}
        </tbody>
        <tfoot><tr><th scope="row">Sum = score</th><td /><td /><td class="numeric">{fixed(sum, 4)}</td><td /></tr></tfoot>
      </table>
    </section>
  );
}

/** @param {{run: number, weights: Weight[], columns: Float32Array[], chosen: import('../chosen.js').Chosen, wanted: string|undefined}} props */
function Ranked({ run, weights, columns, chosen, wanted }) {
  const scores = useMemo(() => {
    const sum = new Float64Array(chosen.total);
    weights.forEach(({ weight }, at) => {
      const column = columns[at];
      for (let item = 0; item < sum.length; ++item) sum[item] += weight * column[item];
    });
    return sum;
  }, [weights, columns, chosen.total]);
  const best = useMemo(() => best_of(scores, kShown, chosen.mask), [scores, chosen.mask]);
  const above = useMemo(() => {
    let items = 0;
    for (let item = 0; item < scores.length; ++item) items += Number((!chosen.mask || chosen.mask[item]) && scores[item] > 0);
    return items;
  }, [scores, chosen.mask]);
  if (best.length === 0) return <Empty>The filter leaves no item to rank.</Empty>;
  const given = /^\d+$/.test(wanted ?? '') ? Number(wanted) : -1;
  const picked = given >= 0 && given < chosen.total ? given : best[0];
  const parts = weights.map(({ feature, weight }, at) => ({ feature, weight, activation: columns[at][picked] }));
  return (
    <>
      <section aria-labelledby="ranked">
        <h2 id="ranked">Items by score, the highest first</h2>
        <p class="quiet">{count(above)} of {count(chosen.count)} items ({percent(above / chosen.count)}) have a score above 0; the first {count(best.length)} are shown. Choose one to see what makes its score.</p>
        <div class="tiles">
          {best.map((item) => <ItemTile key={item} run={run} item={item} size={64} caption={brief(scores[item])} current={item === picked} onChoose={() => change_query({ with: item })} />)}
        </div>
      </section>
      <WhyRanked run={run} item={picked} score={scores[picked]} parts={parts} />
    </>
  );
}

/** Items ranked by features that the visitor weighs. @param {{run: number, query: import('../route.js').Query}} props */
export function RankView({ run, query }) {
  const { source } = usePage();
  const { name } = useRun(run);
  const words = useVocabulary(run);
  const [typed, set_typed] = useState('');
  const { chosen, error: filter_error } = useChosen(run, query);
  const { weights, error } = useMemo(() => read_weights(query.weights ?? '', words), [query.weights, words]);
  const features = weights.map(({ feature }) => feature);
  const load = useLoad(() => Promise.all(features.map((feature) => source.activations(run, feature))), ['rank', run, ...features]);
  const write = (/** @type {Weight[]} */ next) => change_query({ weights: next.length ? written_weights(next, words) : null });
  const add = (/** @type {number|null} */ feature) => {
    if (feature === null || features.includes(feature) || weights.length >= kMostWeights) return;
    set_typed('');
    write([...weights, { feature, weight: 1 }]);
  };
  const [found, set_found] = useState(/** @type {number|null} */ (null));
  return (
    <>
      <h1>Rank items by features <small>seen by {shortened(name, 40)}</small></h1>
      <p class="lead">Say which features an item should have, and which not. The <Term id="rank_score">score</Term> of an item is each feature's value times its weight, added up.</p>
      <ul class="weights" aria-label="Features and their weights">
        {weights.map((weight) => <WeightRow key={weight.feature} run={run} weight={weight} onChange={(value) => write(value === null ? weights.filter((other) => other !== weight) : weights.map((other) => (other === weight ? { ...other, weight: value } : other)))} />)}
      </ul>
      <form class="controls" onSubmit={(event) => { event.preventDefault(); add(found); }}>
        <span class="choice">
          <span>Add a feature</span>
          <FeatureField run={run} value={typed} label="Feature to add" onInput={(text, feature) => { set_typed(text); set_found(feature); }} />
        </span>
        <button type="submit" disabled={found === null || features.includes(found)}>Add</button>
        {weights.length > 0 && <button type="button" onClick={() => write([])}>Remove all</button>}
        {weights.length > 0 && <code title="The same as text">{shortened(written_weights(weights, words), 80)}</code>}
      </form>
      {error && <p class="filter-error" role="alert">{shortened(error, 200)}</p>}
      <FilterBar run={run} query={query} chosen={chosen} error={filter_error} />
      {weights.length === 0 || !chosen ? <Empty>No feature is weighed yet: add one above, or use "Rank items by it" on the page of a feature or "Rank items by these" on that of an item.</Empty> : (
        <Loaded load={load} what="the ranked items">
          {(columns) => columns.length === weights.length && <Ranked run={run} weights={weights} columns={columns} chosen={chosen} wanted={query.with} />}
        </Loaded>
      )}
    </>
  );
}
