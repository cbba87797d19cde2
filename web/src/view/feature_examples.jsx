import { usePage } from '../context.js';
import { HistogramChart } from '../chart/histogram.jsx';
import { brief, count, number, percent, plural } from '../format.js';
import { Empty } from '../load.jsx';
import { ClassLink } from '../part/class_link.jsx';
import { Tiles } from '../part/item_tile.jsx';
import { useHasWhere } from '../part/heat_tile.jsx';
import { Term } from '../part/term.jsx';
import { useSwitch } from '../route.js';
import { kSideNames } from '../sides.js';
import { FeatureWords } from './feature_words.jsx';

/**
 * @typedef {import('../source/contract.js').Valued} Valued
 * @typedef {import('../source/contract.js').FeatureDocument} FeatureDocument
 * @typedef {{side: import('../sides.js').Side, rate: number, consistency: number|null, class: number|null, top: Valued[],
 *   words: import('../source/contract.js').Word[], quantiles: import('../source/contract.js').Band[]}} SideOfPage
 */

/** @param {Valued[]} entries */
const valued = (entries) => entries.map(({ item, value, snippet, marks }) => ({ item, caption: brief(value), snippet, marks }));

/** The sides that have items. @param {FeatureDocument} feature @returns {SideOfPage[]} */
function sides_of_page({ firing_rate, consistency, class: label, top, words, quantiles, negative }) {
  /** @type {SideOfPage[]} */
  const sides = [{ side: 'positive', rate: firing_rate - (negative?.rate ?? 0), consistency, class: label, top, words, quantiles }];
  if (negative) sides.push({ side: 'negative', ...negative });
  return sides.filter((side) => side.top.length > 0);
}

/** How many items a side has, and of what class. @param {{run: number, own: SideOfPage}} props */
function SideWords({ run, own }) {
  return (
    <p class="quiet">
      {percent(own.rate)} of the items are on this side
      {own.consistency !== null && own.class !== null && <>; the commonest class among them is <ClassLink run={run} label={own.class} /> ({percent(own.consistency)})</>}.
    </p>
  );
}

/** @param {{run: number, feature: number, own: SideOfPage, named: boolean}} props */
function Strongest({ run, feature, own, named }) {
  const { overview } = usePage();
  const has_where = useHasWhere(run);
  const [shown, set_shown] = useSwitch('where');
  const title = named ? `Strongest items, ${kSideNames[own.side]}` : 'Strongest items';
  return (
    <section aria-labelledby={`top-${own.side}`} class={`strongest ${own.side}`}>
      <h2 id={`top-${own.side}`}>{named ? <>Strongest items, <Term id={own.side}>{kSideNames[own.side]}</Term></> : title}</h2>
      {named && <SideWords run={run} own={own} />}
      {has_where && (
        <p><button type="button" aria-pressed={shown} onClick={() => set_shown(!shown)}>{shown ? `Show the ${overview.data.has_sounds ? 'sounds' : 'pictures'} as they are` : 'Show where in them it fires'}</button>{' '}
          {shown && <span class="quiet"><Term id="where">Red adds to the feature, blue takes from it.</Term></span>}</p>
      )}
      <Tiles run={run} items={valued(own.top)} size={shown && has_where ? 96 : 64} label={title} heat={shown && has_where ? feature : undefined} />
      <FeatureWords words={own.words} id={`words-${own.side}`} />
    </section>
  );
}

/** @param {{run: number, own: SideOfPage, named: boolean}} props */
function Bands({ run, own, named }) {
  const bands = own.quantiles.filter((band) => band.items.length > 0);
  if (bands.length === 0) return null;
  const list = (
    <div class="bands">
      {bands.map((band) => (
        <div key={band.from} class="band">
          <h3 class="numbers">
            {count(band.from * 100)} to {count(band.to * 100)} %
            <small>{number(band.low)} to {number(band.high)}</small>
          </h3>
          <Tiles run={run} items={valued(band.items)} size={48} label={`Items between ${number(band.low)} and ${number(band.high)}`} />
        </div>
      ))}
    </div>
  );
  return (
    <section aria-labelledby={`bands-${own.side}`}>
      <h2 id={`bands-${own.side}`}>From strong to weak{named && `, ${kSideNames[own.side]}`}</h2>
      <p class="quiet">Items from each tenth of the activations of {named ? 'this side' : 'the feature'}: whether the weak ones still fit tells what it stands for.</p>
      {list}
    </section>
  );
}

/**
 * Items of a feature: the strongest of each side, every strength down to the weakest, none at all, and alone.
 * @param {{run: number, feature: FeatureDocument}} props
 */
export function Examples({ run, feature }) {
  const { silent, anchor_items: anchors, histogram } = feature;
  const sides = sides_of_page(feature);
  const named = feature.negative !== null;
  return (
    <>
      {sides.length === 0 && (
        <section aria-labelledby="top-none">
          <h2 id="top-none">Strongest items</h2>
          <Empty>The feature fires on no item.</Empty>
        </section>
      )}
      {sides.map((own) => <Strongest key={own.side} run={run} feature={feature.feature} own={own} named={named} />)}
      {sides.map((own) => <Bands key={own.side} run={run} own={own} named={named} />)}
      <div class="side-by-side">
        <section class="card" aria-labelledby="strengths">
          <h2 id="strengths">Activations</h2>
          <HistogramChart histogram={histogram} x="activation where it fires" y="items" />
          {histogram.zeros > 0 && <p class="quiet">Silent on {plural(histogram.zeros, 'item')}, not drawn.</p>}
        </section>
        <section class="card" aria-labelledby="silent">
          <h2 id="silent">Items where it is silent</h2>
          {silent.length ? (
            <>
              <p class="quiet">Chosen at random.</p>
              <Tiles run={run} items={silent.map((item) => ({ item }))} size={48} label="Silent items" />
            </>
          ) : <Empty>There are none: it fires on every item.</Empty>}
        </section>
      </div>
      <section aria-labelledby="anchors">
        <h2 id="anchors"><Term id="anchors">Items it describes alone</Term></h2>
        {anchors.length ? <Tiles run={run} items={valued(anchors)} size={48} label="Anchor items" /> : <Empty>No item has this feature as its only active one.</Empty>}
      </section>
    </>
  );
}
