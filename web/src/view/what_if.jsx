import { useMemo, useState } from 'preact/hooks';
import { useVocabulary } from '../chosen.js';
import { usePage } from '../context.js';
import { fixed, number, shortened } from '../format.js';
import { Loaded, useLast, useLoad } from '../load.jsx';
import { FeatureField } from '../part/feature_field.jsx';
import { ClassLink } from '../part/class_link.jsx';
import { ItemTile } from '../part/item_tile.jsx';
import { NamedFeature } from '../part/named_feature.jsx';
import { Term } from '../part/term.jsx';
import { QueryError } from '../query/scanner.js';
import { parse_weights, written_weights } from '../query/weights.js';
import { change_query } from '../route.js';
import { side_of_value } from '../sides.js';

const kOffered = 8; // features to switch off with one click
const kMostChanges = 16;

/**
 * @typedef {import('../source/contract.js').Change} Change
 * @typedef {import('../source/contract.js').ChangedMatch} ChangedMatch
 * @typedef {import('../source/contract.js').Item} Item
 */

/** The changes of an address, such as f12:0, f5:1.5. @param {string|undefined} text @param {import('../query/vocabulary.js').Vocabulary} words @returns {Change[]} */
function read_changes(text, words) {
  if (!text?.trim()) return [];
  try {
    return parse_weights(text, words).slice(0, kMostChanges).map(({ feature, weight }) => ({ feature, value: weight }));
  } catch (error) {
    if (error instanceof QueryError) return [];
    throw error;
  }
}

/** @param {{run: number, change: Change, was: number, onChange: (value: number|null) => void}} props */
function ChangeRow({ run, change: { feature, value }, was, onChange }) {
  const { source } = usePage();
  const cards = useLoad(() => source.features(run), ['features', run]);
  const card = cards.value?.[feature];
  const [low, high] = [Math.min(0, card?.negative?.min ?? 0, value, was), Math.max(card?.max ?? 1, value, was, 1e-3)];
  return (
    <li class="weight">
      <NamedFeature run={run} feature={feature} samples={3} length={24} side={side_of_value(was)} />
      <span class="slide">
        <button type="button" disabled={value === 0} onClick={() => onChange(0)}>Off</button>
        <input type="range" min={low} max={high} step={(high - low) / 100} value={value} aria-label={`Value of feature ${feature}`} onInput={(event) => onChange(Number(Number(event.currentTarget.value).toPrecision(3)))} />
        <button type="button" disabled={value >= high} onClick={() => onChange(Number(high.toPrecision(4)))} title="The largest value that any item has">Up</button>
        <output class="numbers">{number(value)} <small>was {number(was)}</small></output>
        <button type="button" aria-label={`Leave feature ${feature} as it is`} onClick={() => onChange(null)}>×</button>
      </span>
    </li>
  );
}

/** Items with the similarity that they have and had. @param {{run: number, matches: ChangedMatch[], fresh?: Set<number>, onChoose: (item: number) => void}} props */
function Matches({ run, matches, fresh, onChoose }) {
  return (
    <div class="tiles">
      {matches.map(({ item, score, was }) => (
        <span key={item} class={`changed-match ${fresh?.has(item) ? 'fresh' : ''}`}>
          <ItemTile run={run} item={item} size={64} caption={fixed(score, 3)} onChoose={() => onChoose(item)} />
          <span class="caption">was {fixed(was, 3)}</span>
          {fresh?.has(item) && <span class="caption new">new</span>}
        </span>
      ))}
    </div>
  );
}

/** @param {{run: number, item: Item, changes: Change[]}} props */
function Outcome({ run, item, changes }) {
  const { source } = usePage();
  const load = useLast(useLoad(() => source.changed(run, item.item, changes), ['changed', run, item.item, ...changes.flatMap(({ feature, value }) => [feature, value])]));
  const show = (/** @type {number} */ other) => change_query({ with: other });
  return (
    <Loaded load={load} what="what would change">
      {({ neighbours, before, active, prediction }) => {
        const former = new Set(before.map((match) => match.item));
        const present = new Set(neighbours.map((match) => match.item));
        const fresh = new Set(neighbours.map((match) => match.item).filter((other) => !former.has(other)));
        const gone = before.filter((match) => !present.has(match.item));
        return (
          <div class="outcome">
            <p role="status">
              {active === 0 ? 'Without any feature it is like nothing else.' : <><b class="numbers">{fresh.size}</b> of its {neighbours.length} nearest items would be others.</>}
              {prediction && item.prediction && (prediction.class === item.prediction.class
                ? <> It would still be taken for <ClassLink run={run} label={prediction.class} />: its score is {number(prediction.score)} instead of {number(item.prediction.score)}.</>
                : <> It would be taken for <b><ClassLink run={run} label={prediction.class} /></b> (score {number(prediction.score)}) instead of <ClassLink run={run} label={item.prediction.class} />.</>)}
            </p>
            <h3>Nearest after the change</h3>
            <Matches run={run} matches={neighbours} fresh={fresh} onChoose={show} />
            {gone.length > 0 && <><h3>No longer among the nearest</h3><Matches run={run} matches={gone} onChoose={show} /></>}
          </div>
        );
      }}
    </Loaded>
  );
}

/** An item with other values of some features: which items it would be like. @param {{run: number, item: Item, query: import('../route.js').Query}} props */
export function WhatIf({ run, item, query }) {
  const words = useVocabulary(run);
  const [typed, set_typed] = useState('');
  const [found, set_found] = useState(/** @type {number|null} */ (null));
  const changes = useMemo(() => read_changes(query.set, words), [query.set, words]);
  const value_of = (/** @type {number} */ feature) => item.features.find((other) => other.feature === feature)?.value ?? 0;
  const write = (/** @type {Change[]} */ next) => change_query({ set: next.length ? written_weights(next.map(({ feature, value }) => ({ feature, weight: value })), words) : null });
  const begin = (/** @type {number} */ feature, /** @type {number} */ value) => {
    if (!changes.some((other) => other.feature === feature) && changes.length < kMostChanges) write([...changes, { feature, value }]);
  };
  return (
    <section aria-labelledby="what-if" class="what-if">
      <h2 id="what-if">What if a feature were different?</h2>
      <p class="quiet">Switch one off or turn it up: which items would be the nearest, by <Term id="score">similarity</Term>, and what that is and was.</p>
      <div class="controls">
        {item.features.slice(0, kOffered).filter(({ feature }) => !changes.some((other) => other.feature === feature)).map(({ feature }) => (
          <button key={feature} type="button" onClick={() => begin(feature, 0)}>{shortened(words.names[feature] || `Feature ${feature}`, 24)} off</button>
        ))}
        <form class="choice" onSubmit={(event) => { event.preventDefault(); if (found !== null) begin(found, value_of(found)); set_typed(''); set_found(null); }}>
          <span>another</span>
          <FeatureField run={run} value={typed} label="Feature to change" onInput={(text, feature) => { set_typed(text); set_found(feature); }} />
          <button type="submit" disabled={found === null}>Change</button>
        </form>
      </div>
      {changes.length > 0 && (
        <>
          <ul class="weights" aria-label="Changed features">
            {changes.map((change) => (
              <ChangeRow key={change.feature} run={run} change={change} was={value_of(change.feature)} onChange={(value) => write(value === null ? changes.filter((other) => other !== change) : changes.map((other) => (other === change ? { ...other, value } : other)))} />
            ))}
          </ul>
          <Outcome run={run} item={item} changes={changes} />
        </>
      )}
    </section>
  );
}
