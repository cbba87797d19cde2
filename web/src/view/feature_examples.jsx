import { HistogramChart } from '../chart/histogram.jsx';
import { brief, count, number, plural } from '../format.js';
import { Empty } from '../load.jsx';
import { Tiles } from '../part/item_tile.jsx';
import { Term } from '../part/term.jsx';

/** @typedef {import('../source/contract.js').Valued} Valued */

/** @param {Valued[]} entries */
const valued = (entries) => entries.map(({ item, value }) => ({ item, caption: brief(value) }));

/**
 * Samples of a feature: the strongest, every strength down to the weakest, none at all, and alone.
 * @param {{run: number, feature: import('../source/contract.js').FeatureDocument}} props
 */
export function Examples({ run, feature }) {
  const { top, quantiles, silent, anchor_items: anchors, histogram } = feature;
  const positive = quantiles.filter((band) => band.items.length > 0);
  return (
    <>
      <section aria-labelledby="top">
        <h2 id="top">Strongest samples</h2>
        {top.length ? <Tiles run={run} items={valued(top)} size={64} label="Strongest samples" /> : <Empty>{feature.firing_rate > 0 ? 'The feature is never positive.' : 'The feature fires on no sample.'}</Empty>}
      </section>
      {positive.length > 0 && (
        <section aria-labelledby="bands">
          <h2 id="bands">From strong to weak</h2>
          <p class="quiet">Samples from each tenth of the positive activations: whether the weak ones still fit tells what the feature stands for.</p>
          <div class="bands">
            {positive.map((band) => (
              <div key={band.from} class="band">
                <h3 class="numbers">
                  {count(band.from * 100)} to {count(band.to * 100)} %
                  <small>{number(band.low)} to {number(band.high)}</small>
                </h3>
                <Tiles run={run} items={valued(band.items)} size={48} label={`Samples between ${number(band.low)} and ${number(band.high)}`} />
              </div>
            ))}
          </div>
        </section>
      )}
      <div class="side-by-side">
        <section class="card" aria-labelledby="strengths">
          <h2 id="strengths">Activations</h2>
          <HistogramChart histogram={histogram} x="activation where it is not zero" y="samples" />
          <p class="quiet">{plural(histogram.zeros, 'sample')} at zero, not drawn.</p>
        </section>
        <section class="card" aria-labelledby="silent">
          <h2 id="silent">Samples where it is silent</h2>
          <p class="quiet">Chosen at random.</p>
          {silent.length ? <Tiles run={run} items={silent.map((item) => ({ item }))} size={48} label="Silent samples" /> : <Empty>There are none: it fires on every sample.</Empty>}
        </section>
      </div>
      <section aria-labelledby="anchors">
        <h2 id="anchors"><Term id="anchors">Samples it describes alone</Term></h2>
        {anchors.length ? <Tiles run={run} items={valued(anchors)} size={48} label="Anchor samples" /> : <Empty>No sample has this feature as its only active one.</Empty>}
      </section>
    </>
  );
}
