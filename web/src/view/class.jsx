import { useLayoutEffect } from 'preact/hooks';
import { class_colour } from '../chart/colours.js';
import { usePage, useRun } from '../context.js';
import { count, percent, shortened } from '../format.js';
import { setSteps } from '../keys.js';
import { Empty, Loaded, useLoad } from '../load.jsx';
import { ClassLink } from '../part/class_link.jsx';
import { class_name, Tiles } from '../part/item_tile.jsx';
import { ScoreTable } from '../part/score_table.jsx';
import { TellingTable } from '../part/telling_table.jsx';
import { to_chosen, to_class, to_classes, to_items, to_map } from '../route.js';
import { useVocabulary } from '../chosen.js';
import { Taker, taken_for } from './classes.jsx';

const kShown = 24;

/** @param {{run: number, label: number, classes: number}} props */
function Steps({ run, label, classes }) {
  const link = (/** @type {number} */ other) => (other >= 0 && other < classes ? to_class(run, other) : null);
  const [previous, next] = [link(label - 1), link(label + 1)];
  useLayoutEffect(() => setSteps({ previous, next, up: to_classes(run) }), [run, previous, next]);
  return (
    <nav class="steps" aria-label="Other classes">
      <a href={to_classes(run)}>All classes</a>
      {previous ? <a rel="prev" href={previous}>Previous</a> : <span class="quiet">Previous</span>}
      {next ? <a rel="next" href={next}>Next</a> : <span class="quiet">Next</span>}
      <span class="quiet numbers">{count(label + 1)} of {count(classes)}</span>
    </nav>
  );
}

/** Up to `most` of the items, from all over the list. @param {number[]} items @param {number} most */
const spread = (items, most) => (items.length <= most ? items : Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)]));

/** What its items are taken for. @param {{run: number, label: number}} props */
function TakenFor({ run, label }) {
  const { source } = usePage();
  const about = useRun(run);
  const load = useLoad(() => taken_for(source, about), ['taken for', run]);
  return (
    <section aria-labelledby="taken">
      <h2 id="taken">What its items are taken for</h2>
      <Loaded load={load} what="what they are taken for">
        {(taken) => {
          const row = taken?.found.counts?.[label];
          if (!taken || !row) return <Empty>Not known here: there are too many classes, or no labels.</Empty>;
          const total = row.reduce((sum, items) => sum + items, 0);
          const order = [...row.keys()].filter((other) => row[other] > 0).sort((x, y) => row[y] - row[x] || x - y).slice(0, 6);
          const carried = about.classifier?.carried[label];
          return total === 0 ? <Empty>None of its items can be judged.</Empty> : (
            <>
              <p class="quiet"><Taker k={taken.k} /> Always naming the most frequent class would be right for {percent(taken.found.commonest, 1)} of all items.</p>
              <table class="bars">
                <thead><tr><th scope="col">Taken for</th><th scope="col">Share of its items</th><th scope="col" class="numeric">items</th></tr></thead>
                <tbody>
                  {order.map((other) => (
                    <tr key={other}>
                      <th scope="row"><ClassLink run={run} label={other} length={24} />{other === label && <small> right</small>}</th>
                      <td><span class="bar"><i style={{ width: `${(row[other] / total) * 100}%`, background: class_colour(other) }} /></span> <span class="numbers">{percent(row[other] / total, 1)}</span></td>
                      <td class="numeric">{count(row[other])}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {carried && carried.score !== null && carried.items > 0 && <><h3>What carries its score in the classifier, on average over its items</h3><ScoreTable run={run} score={carried} mean /></>}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

/** A class: its items, and the features that tell it from all others. @param {{run: number, label: number}} props */
export function ClassView({ run, label }) {
  const { source, overview } = usePage();
  const about = useRun(run);
  const words = useVocabulary(run);
  const name = shortened(class_name(overview, label), 60);
  const labels = useLoad(() => source.labels(), ['labels']);
  const load = useLoad(async () => source.contrast(run, Uint8Array.from(await source.labels(), (other) => Number(other === label))), ['class', run, label]);
  const items = labels.value ? [...labels.value.keys()].filter((item) => labels.value?.[item] === label) : [];
  const filter = `class=${words.written_value(words.classes[label])}`;
  return (
    <>
      <Steps run={run} label={label} classes={overview.data.classes.length} />
      <h1>Class <span class="feature-name">{name}</span> <small>seen by {shortened(about.name, 40)}</small></h1>
      {labels.value && (
        <p class="lead">
          {count(items.length)} of {count(labels.value.length)} items ({percent(items.length / labels.value.length)}) are of this class: what a blind guess would hit.{' '}
          <a href={to_items(run, { class: label })}>All its items</a>{about.maps.length > 0 && <> · <a href={to_map(run, { only: label })}>on the map</a></>} · <a href={to_chosen(run, { filter })}>as a selection</a>
        </p>
      )}
      {items.length > 0 && <Tiles run={run} items={spread(items, kShown).map((item) => ({ item, query: { class: label } }))} size={48} label={`Items of ${name}`} />}
      <section aria-labelledby="telling">
        <h2 id="telling">Its most telling features</h2>
        <p class="quiet">Where such a feature fires, more items are of this class than by chance; on the class it fires more often, or more strongly, than elsewhere.</p>
        <Loaded load={load} what="its features">
          {(contrast) => <TellingTable run={run} contrast={contrast} here="this class" elsewhere="others" />}
        </Loaded>
      </section>
      <TakenFor run={run} label={label} />
    </>
  );
}
