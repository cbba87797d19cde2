import { Fragment } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { useChosen } from '../chosen.js';
import { usePage, useRun } from '../context.js';
import { count, number, plural, shortened } from '../format.js';
import { setSteps } from '../keys.js';
import { Loaded, useLoad } from '../load.jsx';
import { usePicked } from '../picked.js';
import { ClassLink } from '../part/class_link.jsx';
import { class_name } from '../part/item_tile.jsx';
import { MarkedText } from '../part/marked_text.jsx';
import { Picture } from '../part/picture.jsx';
import { PlayButton } from '../part/sound.jsx';
import { Term } from '../part/term.jsx';
import { change_query, to_item, to_items, to_rank } from '../route.js';
import { Drop } from './drop.jsx';
import { Explanation } from './explanation.jsx';
import { kPage } from './items.jsx';
import { FiringFeatures } from './firing_features.jsx';
import { ItemWhere, MatchWhere } from './item_where.jsx';
import { chosen_marks, ItemWordShares } from './item_words.jsx';
import { Neighbours } from './neighbours.jsx';
import { PredictionOf } from './prediction.jsx';
import { WhatIf } from './what_if.jsx';

const kWeighed = 6; // features of an item that others are ranked by

/**
 * The items before and after one, within the class and the filter that the list had.
 * @param {Int32Array} labels
 * @param {number} item
 * @param {number|null} wanted
 * @param {Uint8Array|null} mask
 */
function around(labels, item, wanted, mask) {
  const list = wanted === null && !mask ? null : [...labels.keys()].filter((other) => (wanted === null || labels[other] === wanted) && (!mask || mask[other]));
  const at = list ? list.indexOf(item) : item;
  const find = (/** @type {number} */ place) => (at < 0 ? null : list ? (list[place] ?? null) : place >= 0 && place < labels.length ? place : null);
  return { at, total: list?.length ?? labels.length, previous: find(at - 1), next: find(at + 1) };
}

/** @param {{run: number, item: number, query: import('../route.js').Query}} props */
function Steps({ run, item, query }) {
  const { source, overview } = usePage();
  const load = useLoad(() => source.labels(), ['labels']);
  const wanted = /^\d+$/.test(query.class ?? '') ? Number(query.class) : null;
  const { chosen } = useChosen(run, query);
  const filter = query.filter || null;
  const { at, total, ...steps } = load.value ? around(load.value, item, wanted, chosen?.mask ?? null) : { at: -1, total: 0, previous: null, next: null };
  const link = (/** @type {number|null} */ other) => (other === null ? null : to_item(run, other, { class: wanted, filter }));
  const [previous, next] = [link(steps.previous), link(steps.next)];
  const up = to_items(run, { class: wanted, filter, page: at >= kPage ? Math.floor(at / kPage) : null });
  useLayoutEffect(() => setSteps({ previous, next, up }), [previous, next, up]);
  return (
    <nav class="steps" aria-label="Other items">
      <a href={up}>{filter ? 'All that match' : wanted === null ? 'All items' : `All of ${shortened(class_name(overview, wanted), 24)}`}</a>
      {previous ? <a rel="prev" href={previous}>Previous</a> : <span class="quiet">Previous</span>}
      {next ? <a rel="next" href={next}>Next</a> : <span class="quiet">Next</span>}
      {at >= 0 && <span class="quiet numbers">{count(at + 1)} of {count(total)}</span>}
    </nav>
  );
}

/** The other runs' view of the same item. @param {{run: number, item: number, query: import('../route.js').Query}} props */
function OtherRuns({ run, item, query }) {
  const { overview } = usePage();
  const others = overview.runs.filter((other) => other.run !== run);
  if (others.length === 0) return null;
  return <p>The same item as {others.map((other, at) => <Fragment key={other.run}>{at > 0 && ', '}<a href={to_item(other.run, item, { class: query.class })}>{shortened(other.name, 40)} sees it</a></Fragment>)}</p>;
}

/** Its id, where that says more than its number, and its class. @param {{run: number, document: import('../source/contract.js').Item}} props */
function ItemFacts({ run, document }) {
  const { overview } = usePage();
  const { item, id, label } = document;
  const called = (overview.data.has_pictures || overview.data.has_texts) && id !== String(item);
  const labelled = overview.data.classes.length > 0;
  if (!called && !labelled) return null;
  return (
    <p class="item-id">
      {called && <code>{shortened(id, 120)}</code>}
      {called && labelled && ' · '}
      {labelled && <ClassLink run={run} label={label} length={80} />}
    </p>
  );
}

/** What is written of it, with the words marked that raise a feature in the first. @param {{texts: string[], marks: import('../source/contract.js').Mark[]}} props */
function Texts({ texts, marks }) {
  if (texts.length === 0) return null;
  return <ul class="texts" aria-label="Texts">{texts.map((text, at) => <li key={at}><MarkedText text={text} marks={at === 0 ? marks : []} /></li>)}</ul>;
}

/** @param {{run: number, item: number, query: import('../route.js').Query}} props */
export function ItemView({ run, item, query }) {
  const { source, overview, own } = usePage();
  const about = useRun(run);
  const load = useLoad(() => source.item(run, item), ['item', run, item]);
  return (
    <>
      <Steps run={run} item={item} query={query} />
      <Loaded load={load} what={`item ${item}`}>
        {(document) => {
          const marks = document.marks ?? [];
          const chosen = chosen_marks(marks, query.words);
          const other = /^\d+$/.test(query.with ?? '') ? Number(query.with) : ((document.links?.[0] ?? document.neighbours[0])?.item ?? null);
          return (
            <>
              <div class="item-head">
                {overview.data.has_sounds
                  ? <div><Picture item={item} size={192} /><p class="sound-axes">time to the right, pitch upwards, brighter is louder</p><PlayButton item={item} words /></div>
                  : overview.data.has_pictures && <Picture item={item} size={128} />}
                <div>
                  {overview.data.has_pictures || overview.data.has_texts || document.id === String(item)
                    ? <h1>Item {item} <small>seen by {shortened(about.name, 40)}</small></h1>
                    : <h1>{shortened(document.id, 80)} <small>item {item}, seen by {shortened(about.name, 40)}</small></h1>}
                  <Texts texts={document.texts} marks={chosen?.words ?? []} />
                  <ItemFacts run={run} document={document} />
                  <PickButton item={item} />
                  <p class="numbers"><Term id="active">{plural(document.active, 'active feature')}</Term> of {about.features} · <Term id="norm">norm</Term> {number(document.norm)}</p>
                  <OtherRuns run={run} item={item} query={query} />
                </div>
              </div>
              {document.prediction && <PredictionOf run={run} prediction={document.prediction} label={document.label} />}
              {chosen && <ItemWordShares run={run} marks={marks} chosen={chosen} />}
              <ItemWhere run={run} item={item} features={document.features} query={query} />
              <FiringFeatures run={run} features={document.features} />
              {document.features.length > 0 && <p><a href={to_rank(run, { weights: top_weights(document.features) })}>Rank items by these features</a></p>}
              {document.links && document.links.length > 0 && <Neighbours run={run} neighbours={document.links} chosen={other} onChoose={(near) => change_query({ with: near })} title="Linked to" />}
              <Neighbours run={run} neighbours={document.neighbours} chosen={other} onChoose={(near) => change_query({ with: near })} />
              {other !== null && <WhyItMatches run={run} a={item} b={other} />}
              {other !== null && <MatchWhere run={run} a={item} b={other} />}
              <WhatIf run={run} item={document} query={query} />
              {own && <Drop />}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/** Puts an item into the selection, or takes it out. @param {{item: number}} props */
function PickButton({ item }) {
  const { picked } = usePage();
  usePicked(picked);
  const on = picked.mask[item] === 1;
  return <p><button type="button" aria-pressed={on} onClick={() => picked.toggle(item)}>{on ? 'In the selection: take out' : 'Put into the selection'}</button></p>;
}

/** The strongest features of an item as weights, the strongest 1. @param {import('../source/contract.js').Item['features']} features */
function top_weights(features) {
  const most = Math.abs(features[0].value);
  return features.slice(0, kWeighed).map(({ feature, value }) => `${value < 0 ? '-' : ''}f${feature}:${Number((Math.abs(value) / most).toPrecision(2))}`).join(', ');
}

/** @param {{run: number, a: number, b: number}} props */
function WhyItMatches({ run, a, b }) {
  const { source } = usePage();
  const load = useLoad(() => source.explain(run, a, b), ['explain', run, a, b]);
  return (
    <Loaded load={load} what="why they match">
      {(explanation) => <Explanation run={run} {...explanation} />}
    </Loaded>
  );
}
