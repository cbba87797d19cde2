import { usePage } from '../context.js';
import { items_of, ordered } from '../feature_order.js';
import { percent, shortened } from '../format.js';
import { Loaded, useLoad } from '../load.jsx';
import { useName } from '../names.js';
import { class_name } from '../part/item_tile.jsx';
import { Sample, useSampleCount } from '../part/sample.jsx';
import { Term } from '../part/term.jsx';
import { Words } from '../part/words.jsx';
import { to_feature, to_features } from '../route.js';
import { kSideNames, sides_of } from '../sides.js';

const kSamples = 8;

/**
 * @typedef {import('../source/contract.js').Run} Run
 * @typedef {import('../source/contract.js').Feature} Feature
 */

/** @param {{run: number, feature: Feature, words: string}} props */
function Row({ run, feature, words }) {
  const { overview, names } = usePage();
  const { name } = useName(names, run, feature.feature);
  const sides = sides_of(feature);
  const samples = useSampleCount(kSamples / Math.max(1, sides.length));
  return (
    <a class="look-row" href={to_feature(run, feature.feature)}>
      <span class="look-words"><span class="feature-number">{feature.feature}</span> {name ? shortened(name, 24) : words}</span>
      <span class="look-sides">
        {sides.map((own) => (
          <span key={own.side} class="look-side">
            <span class="look-samples" aria-hidden="true">
              {own.top.slice(0, samples).map((item) => <Sample key={item} item={item} size={44} />)}
            </span>
            <span class="caption">
              {sides.length > 1 && <b>{kSideNames[own.side]} </b>}
              {own.words.length > 0 && <><Words words={own.words} most={4} /> </>}
              {own.class !== null && `${percent(own.consistency, 0)} ${shortened(class_name(overview, own.class), 16)}`}
            </span>
          </span>
        ))}
      </span>
    </a>
  );
}

/** Three features of a run, chosen by the same rule for every run: the best, the upper quarter, the middle. @param {{run: Run, features: Feature[]}} props */
function Three({ run, features }) {
  const { overview } = usePage();
  const labelled = overview.data.classes.length > 0;
  const list = ordered(features, items_of(overview), { sort: labelled ? 'consistency' : 'expected', show: 'live' }, () => '');
  const better = labelled ? 'purer' : 'stronger';
  const places = [[0, labelled ? 'the purest' : 'the strongest'], [list.length / 4, `one in four is ${better}`], [list.length / 2, 'the middle one']];
  const rows = places.map(([place, words]) => ({ feature: list[Math.floor(Number(place))], words: String(words) }));
  const different = rows.filter(({ feature }, at) => feature && rows.findIndex((row) => row.feature === feature) === at);
  if (different.length === 0) return <p class="quiet">No feature of this run fires.</p>;
  return (
    <>
      {different.map(({ feature, words }) => <Row key={feature.feature} run={run.run} feature={feature} words={words} />)}
      <p><a href={to_features(run.run)}>All features</a></p>
    </>
  );
}

/** What features of each run look like: the items that activate them most. Bare numbers of items would tell nothing. @param {{runs: Run[]}} props */
export function FirstLook({ runs }) {
  const { source, overview } = usePage();
  const { has_pictures: pictures, has_texts: texts, has_sounds: sounds, classes } = overview.data;
  const load = useLoad(() => Promise.all([pictures ? [] : source.ids(), ...runs.map((run) => source.features(run.run))]), ['first look', runs.length]);
  if (!pictures && !texts && classes.length === 0 && !load.value?.[0].some((id, at) => id !== String(at))) return null;
  const [one, many] = sounds ? ['sound', 'sounds'] : pictures ? ['picture', 'pictures'] : ['item', 'items'];
  return (
    <section aria-labelledby="look">
      <h2 id="look">What features look like</h2>
      <p class="quiet">
        A feature is one number that is computed of every {one}. Each row shows the {many} where that number is largest
        {runs.some((run) => run.measures.non_negative_ratio !== 1) && <> (<Term id="positive">+ side</Term>) and, if it can be negative, lowest (<Term id="negative">− side</Term>)</>}: do they have
        something in common?
      </p>
      <Loaded load={load} what="the features">
        {([, ...all]) => (
          <div class="side-by-side">
            {runs.map((run, at) => (
              <div key={run.run} class="card">
                <h3>{shortened(run.name, 40)}</h3>
                <Three run={run} features={all[at]} />
              </div>
            ))}
          </div>
        )}
      </Loaded>
    </section>
  );
}
