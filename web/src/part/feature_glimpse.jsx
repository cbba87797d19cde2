import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../context.js';
import { percent, shortened } from '../format.js';
import { kSideNames, side_of } from '../sides.js';
import { class_name } from './item_tile.jsx';
import { Sample, useSampleCount } from './sample.jsx';
import { Words } from './words.jsx';

/** The card of a feature, once the features of its run are there. @param {number} run @param {number} feature */
function useFeature(run, feature) {
  const { source } = usePage();
  const [card, set_card] = useState(/** @type {import('../source/contract.js').Feature|null} */ (null));
  useEffect(() => {
    let current = true;
    source.features(run).then(
      (features) => current && set_card(features[feature] ?? null),
      () => {}, // a glimpse that is missing needs no message of its own
    );
    return () => {
      current = false;
    };
  }, [source, run, feature]);
  return card?.feature === feature ? card : null;
}

/**
 * What a feature stands for, beside its number: its strongest items, its words and its main class. Of the side wanted, which is
 * said where the feature has two.
 * @param {{run: number, feature: number, side?: import('../sides.js').Side, samples?: number, size?: number}} props
 */
export function FeatureGlimpse({ run, feature, side = 'positive', samples = 4, size = 28 }) {
  const { overview } = usePage();
  const card = useFeature(run, feature);
  const shown = useSampleCount(samples);
  if (!card) return null;
  const own = side_of(card, side);
  const label = own.class === null ? '' : shortened(class_name(overview, own.class), 20);
  return (
    <span class="glimpse" data-feature={feature}>
      <span class="glimpse-samples" aria-hidden="true">
        {own.top.slice(0, shown).map((item) => <Sample key={item} item={item} size={size} />)}
      </span>
      <span class="glimpse-words">
        {card.negative && <span class="glimpse-side">{kSideNames[own.side]} </span>}
        {own.words.length > 0 && <><Words words={own.words} most={3} /> </>}
        {own.top.length === 0 ? 'dead' : label && <>{label} <span class="numbers">{percent(own.consistency, 0)}</span></>}
      </span>
    </span>
  );
}
