import { usePage } from '../context.js';
import { HistogramChart } from '../chart/histogram.jsx';
import { fixed, number, plural, shortened } from '../format.js';
import { Empty, Loaded, useLoad } from '../load.jsx';
import { FeatureCard } from '../part/feature_card.jsx';
import { Pager } from '../part/pager.jsx';
import { Term } from '../part/term.jsx';
import { change_query, go, to_compare } from '../route.js';

const kPage = 12;
const kBins = 20;

/**
 * @typedef {import('../source/contract.js').Feature} Feature
 * @typedef {import('../source/contract.js').Pair} Pair
 * @typedef {import('../source/contract.js').Comparison} Comparison
 */

/** @param {Pair[]} pairs */
function histogram(pairs) {
  const counts = new Array(kBins).fill(0);
  for (const { similarity } of pairs) ++counts[Math.min(kBins - 1, Math.max(0, Math.floor(similarity * kBins)))];
  return { edges: Array.from({ length: kBins + 1 }, (_, at) => at / kBins), counts };
}

/** @param {{label: string, value: number, onChoose: (run: number) => void}} props */
function RunChoice({ label, value, onChoose }) {
  const { overview } = usePage();
  return (
    <label class="choice">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChoose(Number(event.currentTarget.value))}>
        {overview.runs.map((run) => <option key={run.run} value={run.run}>{shortened(run.name, 40)}</option>)}
      </select>
    </label>
  );
}

/** @type {Record<string, string>} */
const kSorts = { best: 'best match first', worst: 'worst match first', consistency: 'class consistency on the left' };

/** @param {Pair[]} pairs @param {string} sort @param {Map<number, Feature>} features */
function sorted(pairs, sort, features) {
  if (sort === 'worst') return [...pairs].reverse();
  if (sort !== 'consistency') return pairs;
  return [...pairs].sort((x, y) => (features.get(y.a)?.consistency ?? -1) - (features.get(x.a)?.consistency ?? -1));
}

/**
 * @param {{a: number, b: number, result: Comparison, left: Feature[], right: Feature[],
 *   query: import('../route.js').Query}} props
 */
function Pairs({ a, b, result, left, right, query }) {
  const by_number = (/** @type {Feature[]} */ features) => new Map(features.map((feature) => [feature.feature, feature]));
  const [left_of, right_of] = [by_number(left), by_number(right)];
  const sort = Object.hasOwn(kSorts, query.sort ?? '') ? query.sort : 'best';
  const list = sorted(result.pairs, sort, left_of);
  const page = Math.min(Math.max(0, Math.ceil(list.length / kPage) - 1), Math.max(0, Number.parseInt(query.page ?? '0', 10) || 0));
  if (list.length === 0) return <Empty>No features were matched between these runs.</Empty>;
  return (
    <>
      <div class="controls">
        <label class="choice">
          <span>Sort by</span>
          <select value={sort} onChange={(event) => change_query({ sort: event.currentTarget.value, page: null })}>
            {Object.entries(kSorts).map(([key, name]) => <option key={key} value={key}>{name}</option>)}
          </select>
        </label>
      </div>
      <Pager page={page} size={kPage} total={list.length} what="pairs" href={(other) => to_compare(a, b, { ...query, page: other || null })} />
      <ol class="pairs">
        {list.slice(page * kPage, (page + 1) * kPage).map((pair) => (
          <li key={`${pair.a}/${pair.b}`}>
            <Side run={a} feature={left_of.get(pair.a)} />
            <p class="match"><b class="numbers">{fixed(pair.similarity, 3)}</b> <Term id="similarity">match</Term></p>
            <Side run={b} feature={right_of.get(pair.b)} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** @param {{run: number, feature: Feature|undefined}} props */
const Side = ({ run, feature }) => (feature ? <FeatureCard run={run} feature={feature} samples={9} /> : null);

/** @param {{a: number, b: number, query: import('../route.js').Query}} props */
export function CompareView({ a, b, query }) {
  const { source, overview } = usePage();
  const one = overview.runs.length < 2;
  const load = useLoad(
    async () => (one || a === b ? null : Promise.all([source.compare(a, b), source.features(a), source.features(b)])),
    ['compare', a, b],
  );
  if (one) {
    return (
      <>
        <h1>Compare</h1>
        <Empty>There is one run here. Give two or more to compare: <code>orthant report RUN RUN2 -o report.html</code></Empty>
      </>
    );
  }
  const [left, right] = [overview.runs[a], overview.runs[b]];
  return (
    <>
      <h1>{shortened(left.name, 40)} beside {shortened(right.name, 40)}</h1>
      <p class="lead">Features of both runs, matched one to one so that they agree best over the same items.</p>
      <div class="controls">
        <RunChoice label="Left" value={a} onChoose={(run) => go(to_compare(run, b))} />
        <RunChoice label="Right" value={b} onChoose={(run) => go(to_compare(a, run))} />
      </div>
      {a === b ? (
        <Empty>Both sides are the same run: choose another on one side.</Empty>
      ) : (
        <Loaded load={load} what="the comparison">
          {(loaded) => {
            if (!loaded) return null;
            const [result, left_features, right_features] = loaded;
            return (
            <>
              <div class="card summary">
                <p>
                  {plural(result.pairs.length, 'pair')}, mean match <b class="numbers">{number(result.mean)}</b>.{' '}
                  {result.mean >= 0.8 ? 'Most features appear in both runs.' : result.mean >= 0.4 ? 'Some features appear in both runs, others do not.' : 'The runs found different features.'}
                </p>
                <HistogramChart histogram={histogram(result.pairs)} x="match (cosine)" y="pairs" height={140} />
              </div>
              <Pairs a={a} b={b} result={result} left={left_features} right={right_features} query={query} />
            </>
            );
          }}
        </Loaded>
      )}
    </>
  );
}
