import { useLayoutEffect } from 'preact/hooks';
import { useVocabulary } from '../chosen.js';
import { usePage, useRun } from '../context.js';
import { count, fixed, number, percent, shortened } from '../format.js';
import { items_of, order_of, ordered } from '../feature_order.js';
import { setSteps } from '../keys.js';
import { Loaded, useLoad } from '../load.jsx';
import { measure_of } from '../measures.js';
import { useName } from '../names.js';
import { Flags } from '../part/feature_link.jsx';
import { ClassLink } from '../part/class_link.jsx';
import { NamedFeature } from '../part/named_feature.jsx';
import { NameEditor } from '../part/name_editor.jsx';
import { Term } from '../part/term.jsx';
import { to_chosen, to_feature, to_features, to_items, to_map, to_rank } from '../route.js';
import { Examples } from './feature_examples.jsx';
import { FeatureRelations } from './feature_relations.jsx';

/** Links to the features before and after this one in the gallery's order. @param {{run: number, feature: number, query: import('../route.js').Query}} props */
function Steps({ run, feature, query }) {
  const { source, overview, names } = usePage();
  const load = useLoad(() => source.features(run), ['features', run]);
  const sort = order_of(overview, query.sort);
  const list = load.value ? ordered(load.value, items_of(overview), { ...query, sort }, (other) => names.of(run, other).name) : [];
  const at = list.findIndex((other) => other.feature === feature);
  const link = (/** @type {number} */ index) => (at >= 0 && list[index] ? to_feature(run, list[index].feature, { ...query, sort }) : null);
  const [previous, next] = [link(at - 1), link(at + 1)];
  useLayoutEffect(() => setSteps({ previous, next, up: to_features(run, query) }), [previous, next]);
  return (
    <nav class="steps" aria-label="Other features">
      <a href={to_features(run, query)}>All features</a>
      {previous ? <a rel="prev" href={previous}>Previous</a> : <span class="quiet">Previous</span>}
      {next ? <a rel="next" href={next}>Next</a> : <span class="quiet">Next</span>}
      {at >= 0 && <span class="quiet numbers">{at + 1} of {list.length}</span>}
    </nav>
  );
}

/** @typedef {[string, string, import('preact').ComponentChildren?]} Fact */

/**
 * A fact, if there is such a number.
 * @param {string} term
 * @param {number|null} value
 * @param {(value: number) => string} format
 * @param {import('preact').ComponentChildren} [more]
 * @returns {Fact[]}
 */
const known = (term, value, format, more) => (value === null ? [] : [[term, format(value), more]]);

/** How alike any two items are by the reference. @param {import('../source/contract.js').Run} run */
function any_two(run) {
  const chance = measure_of(run.measures, 'chance.monosemanticity');
  return chance === null ? '' : `any two items ${fixed(chance, 2)}`;
}

/** @param {{run: number, feature: import('../source/contract.js').FeatureDocument}} props */
function Facts({ run, feature }) {
  const { overview } = usePage();
  const commonest = (/** @type {number|null} */ label) => (label === null ? '' : <ClassLink run={run} label={label} length={24} />);
  /** @type {Fact[]} */
  const facts = [
    ['firing_rate', percent(feature.firing_rate), `${count(feature.firing_rate * (overview.data.items_shown ?? overview.data.items))} items`],
    ['expected_activation', number(feature.expected_activation)],
    ...(feature.negative ? known('min', feature.negative.min, number) : []),
    ['max', number(feature.max)],
    ...known('consistency', feature.consistency, percent, commonest(feature.class)),
    ...(feature.negative ? known('negative_consistency', feature.negative.consistency, percent, commonest(feature.negative.class)) : []),
    ...known('feature_monosemanticity', feature.monosemanticity ?? null, (value) => fixed(value, 2), any_two(overview.runs[run])),
    ...known('entropy', feature.entropy, (value) => `${number(value)} nats`),
    ['anchors', count(feature.anchors)],
  ];
  return (
    <dl class="facts big">
      {facts.map(([term, value, more]) => (
        <div key={term}>
          <dt><Term id={term} /></dt>
          <dd>{value}{more && <small> {more}</small>}</dd>
        </div>
      ))}
    </dl>
  );
}

/** @param {{run: number, feature: number, query: import('../route.js').Query}} props */
export function FeatureView({ run, feature, query }) {
  const { source, names } = usePage();
  const about = useRun(run);
  useName(names, run, feature);
  const words = useVocabulary(run);
  const { name, proposed } = names.shown(run, feature);
  const load = useLoad(() => source.feature(run, feature), ['feature', run, feature]);
  return (
    <>
      <Steps run={run} feature={feature} query={query} />
      <h1>
        Feature <span class="feature-number">{feature}</span> {name && <span class={proposed ? 'feature-name proposed' : 'feature-name'}>{shortened(name, 80)}{proposed && '?'}</span>}
        <small> of {shortened(about.name, 40)}</small>
      </h1>
      <NameEditor run={run} feature={feature} />
      <Loaded load={load} what={`feature ${feature}`}>
        {(document) => (
          <>
            <Flags run={run} flags={document.flags} duplicate_of={document.duplicate_of} />
            {document.duplicate_of !== null && <p>Nearly the same as <NamedFeature run={run} feature={document.duplicate_of} /></p>}
            <Facts run={run} feature={document} />
            <p>
              {about.maps?.length > 0 && <><a href={to_map(run, { colour: `feature:${feature}` })}>Where on the map it fires</a> · </>}
              <a href={to_items(run, { filter: words.written(feature) })}>Items that have it</a> · <a href={to_chosen(run, { filter: words.written(feature) })}>What these have in common</a> · <a href={to_rank(run, { weights: `${words.written(feature)}:1` })}>Rank items by it</a>
            </p>
            <Examples run={run} feature={document} />
            <FeatureRelations run={run} feature={document} />
          </>
        )}
      </Loaded>
    </>
  );
}
