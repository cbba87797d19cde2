import { usePage } from '../context.js';
import { count, fixed, is_number, percent, shortened } from '../format.js';
import { useName } from '../names.js';
import { to_feature } from '../route.js';
import { kSideNames, side_of, sides_of } from '../sides.js';
import { ClassProfile } from './class_profile.jsx';
import { Flags } from './feature_link.jsx';
import { Sample, useSampleCount } from './sample.jsx';
import { Term } from './term.jsx';
import { Words } from './words.jsx';

/** @typedef {import('../sides.js').SideOfFeature} SideOfFeature */

/**
 * The strongest items of one side and its classes; `named` says which side it is.
 * @param {{own: SideOfFeature, samples: number, size: number, named: boolean}} props
 */
function CardSide({ own, samples, size, named }) {
  const shown = useSampleCount(samples);
  return (
    <div class={`card-side ${own.side}`}>
      {named && <p class="side-name"><Term id={own.side}>{kSideNames[own.side]}</Term> <span class="quiet">{percent(own.rate)} of items</span></p>}
      <div class="samples" aria-hidden="true">
        {own.top.slice(0, shown).map((item) => <Sample key={item} item={item} size={size} />)}
      </div>
      {own.words.length > 0 && <Words words={own.words} most={named ? 4 : 6} />}
      {own.profile.length > 0 && own.rate > 0 && <ClassProfile profile={own.profile} />}
    </div>
  );
}

/** @param {{sides: SideOfFeature[]}} props */
function Consistency({ sides }) {
  const known = sides.filter(({ consistency }) => consistency !== null);
  if (known.length === 0) return null;
  const words = known.map(({ side, consistency }) => `${percent(consistency)}${known.length > 1 ? ` (${kSideNames[side].slice(0, 1)})` : ''}`);
  return <div><dt><Term id="consistency">consistency</Term></dt><dd>{words.join(', ')}</dd></div>;
}

/**
 * One feature of the gallery: its strongest items, where it fires, how often. Both sides of it, or the one wanted.
 * @param {{run: number, feature: import('../source/contract.js').Feature, query?: import('../route.js').NewQuery,
 *   samples?: number, size?: number, side?: import('../sides.js').Side}} props
 */
export function FeatureCard({ run, feature, query, samples = 12, size = 48, side }) {
  const { names } = usePage();
  useName(names, run, feature.feature);
  const { name, proposed } = names.shown(run, feature.feature);
  const all = sides_of(feature);
  const sides = side ? [side_of(feature, side)] : all;
  const each = sides.length > 1 ? Math.ceil(samples / 2) : samples;
  return (
    <article class={`feature-card ${sides.length > 1 ? 'two-sided' : ''}`}>
      <h3>
        <a class="card-link" href={to_feature(run, feature.feature, query)}>
          <span class="feature-number">{feature.feature}</span>
          <span class={name ? `feature-name ${proposed ? 'proposed' : ''}` : 'visually-hidden'}> {name ? `${shortened(name, 40)}${proposed ? '?' : ''}` : 'feature'}</span>
        </a>
        <Flags run={run} flags={feature.flags} duplicate_of={feature.duplicate_of} />
      </h3>
      {all.length === 0 && <p class="samples"><span class="quiet">fires on no item</span></p>}
      {all.length > 0 && sides.map((own) => <CardSide key={own.side} own={own} samples={each} size={size} named={all.length > 1 || own.side === 'negative'} />)}
      <dl class="facts">
        <Consistency sides={sides} />
        <div><dt><Term id="firing_rate">fires on</Term></dt><dd>{percent(feature.firing_rate)}</dd></div>
        {is_number(feature.monosemanticity) && <div><dt><Term id="feature_monosemanticity">alike</Term></dt><dd>{fixed(feature.monosemanticity, 2)}</dd></div>}
        {feature.anchors > 0 && <div><dt><Term id="anchors">anchors</Term></dt><dd>{count(feature.anchors)}</dd></div>}
      </dl>
    </article>
  );
}
