import { usePage } from '../context.js';
import { HistogramChart } from '../chart/histogram.jsx';
import { count, fixed, plural, shortened } from '../format.js';
import { Empty, Loaded, useLoad } from '../load.jsx';
import { FeatureCard } from '../part/feature_card.jsx';
import { Pager } from '../part/pager.jsx';
import { Term } from '../part/term.jsx';
import { change_query, go, to_compare } from '../route.js';

const kPage = 12;
const kBins = 20;
const kOpposite = -0.1; // nearer to zero, a pair has nothing in common
const kSame = 0.8; // matches from here on, without sign, count as the same feature

/**
 * @typedef {import('../source/contract.js').Feature} Feature
 * @typedef {import('../source/contract.js').Pair} Pair
 * @typedef {import('../source/contract.js').Comparison} Comparison
 * @typedef {import('../sides.js').Side} Side
 */

/** Of the signed cosines, from -1 to 1. @param {Pair[]} pairs */
function histogram(pairs) {
  const counts = new Array(kBins).fill(0);
  for (const { cosine } of pairs) ++counts[Math.min(kBins - 1, Math.max(0, Math.floor(((cosine + 1) / 2) * kBins)))];
  return { edges: Array.from({ length: kBins + 1 }, (_, at) => (2 * at) / kBins - 1), counts };
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
const kSorts = { best: 'best match first', worst: 'worst match first', opposite: 'opposites first', consistency: 'class consistency on the left' };

/** @param {Pair[]} pairs @param {string} sort @param {Map<number, Feature>} features */
function sorted(pairs, sort, features) {
  if (sort === 'worst') return [...pairs].reverse();
  if (sort === 'opposite') return [...pairs].sort((x, y) => x.cosine - y.cosine);
  if (sort !== 'consistency') return pairs;
  return [...pairs].sort((x, y) => (features.get(y.a)?.consistency ?? -1) - (features.get(x.a)?.consistency ?? -1));
}

/** Which sides of two features belong together. @param {Pair} pair @param {Feature} left @param {Feature} right @returns {[Side, Side]} */
function matching_sides({ cosine }, left, right) {
  if (cosine >= 0) return ['positive', 'positive'];
  return left.negative && !right.negative ? ['negative', 'positive'] : ['positive', 'negative'];
}

/** @param {{a: number, b: number, pair: Pair, left: Feature|undefined, right: Feature|undefined}} props */
function PairRow({ a, b, pair, left, right }) {
  if (!left || !right) return null;
  const [side_a, side_b] = matching_sides(pair, left, right);
  return (
    <li>
      <FeatureCard run={a} feature={left} samples={9} side={side_a} />
      <p class="match">
        <b class="numbers">{fixed(pair.cosine, 3)}</b> <Term id="similarity">match</Term>
        {pair.cosine <= kOpposite && <> <span class="flag opposite"><Term id="opposite">opposite</Term></span></>}
      </p>
      <FeatureCard run={b} feature={right} samples={9} side={side_b} />
    </li>
  );
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
          <PairRow key={`${pair.a}/${pair.b}`} a={a} b={b} pair={pair} left={left_of.get(pair.a)} right={right_of.get(pair.b)} />
        ))}
      </ol>
    </>
  );
}

/** How many pairs are one feature found twice. @param {Pair[]} pairs */
function verdict(pairs) {
  const same = pairs.filter(({ similarity }) => similarity >= kSame).length;
  if (same === 0) return `No feature of one run is nearly the same in the other: no match reaches ${kSame}.`;
  const all = same === pairs.length ? 'All' : `${count(same)} of`;
  return `${all} ${plural(pairs.length, 'pair')} ${same === 1 ? 'is' : 'are'} nearly the same feature in both runs: a match of ${kSame} or more.`;
}

/** Features of a run that have no partner, in words. @param {{run: number, live: number, pairs: number}} props */
function Alone({ run, live, pairs }) {
  const { overview } = usePage();
  const { name, features } = overview.runs[run];
  const [alone, dead] = [live - pairs, features - live];
  if (alone === 0 && dead === 0) return null;
  const words = [alone > 0 && `${count(alone)} without a partner`, dead > 0 && `${count(dead)} dead (never fire)`].filter(Boolean);
  return <li>{shortened(name, 40)}: of {plural(features, 'feature')}, {words.join(' and ')}.</li>;
}

/** What the matching says as a whole: live pairs only, what is left out said apart. @param {{a: number, b: number, result: Comparison}} props */
function Summary({ a, b, result }) {
  const { pairs, mean_of_pairs: mean, live } = result;
  const opposites = pairs.filter(({ cosine }) => cosine <= kOpposite).length;
  if (mean === null) return null;
  return (
    <div class="card summary">
      <p>
        <b>{verdict(pairs)}</b> {plural(pairs.length, 'pair')}, mean match <b class="numbers">{fixed(mean, 2)}</b> without sign
        {opposites > 0 && <>; <b class="numbers">{count(opposites)}</b> of them are <Term id="opposite">opposites</Term></>}.
      </p>
      <ul class="run-list">
        <Alone run={a} live={live[0]} pairs={pairs.length} />
        <Alone run={b} live={live[1]} pairs={pairs.length} />
      </ul>
      <HistogramChart histogram={histogram(pairs)} x="match (cosine); towards -1: opposites" y="pairs" height={140} />
    </div>
  );
}

/** @param {{a: number, b: number, query: import('../route.js').Query}} props */
function Compared({ a, b, query }) {
  const { source } = usePage();
  const load = useLoad(() => Promise.all([source.compare(a, b), source.features(a), source.features(b)]), ['compare', a, b]);
  return (
    <Loaded load={load} what="the comparison">
      {([result, left, right]) => (
        <>
          <Summary a={a} b={b} result={result} />
          <Pairs a={a} b={b} result={result} left={left} right={right} query={query} />
        </>
      )}
    </Loaded>
  );
}

/** @param {{a: number, b: number, query: import('../route.js').Query}} props */
export function CompareView({ a, b, query }) {
  const { overview } = usePage();
  if (overview.runs.length < 2) {
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
      {a === b ? <Empty>Both sides are the same run: choose another on one side.</Empty> : <Compared a={a} b={b} query={query} />}
    </>
  );
}
