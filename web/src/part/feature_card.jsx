import { usePage } from '../context.js';
import { count, percent, shortened } from '../format.js';
import { useName } from '../names.js';
import { to_feature } from '../route.js';
import { ClassProfile } from './class_profile.jsx';
import { Flags } from './feature_link.jsx';
import { Picture } from './picture.jsx';
import { useLabel, class_name } from './item_tile.jsx';

/** A picture, or a small chip, without a link of its own: the card is the link. @param {{item: number, size: number}} props */
function Sample({ item, size }) {
  const { overview } = usePage();
  const label = useLabel(item);
  if (overview.data.has_pictures) return <Picture item={item} size={size} />;
  return (
    <span class="chip small">
      <span class="chip-id">{item}</span>
      <span class="chip-class">{shortened(class_name(overview, label), 14)}</span>
    </span>
  );
}

/**
 * One feature of the gallery: its strongest samples, where it fires, how often.
 * @param {{run: number, feature: import('../source/contract.js').Feature, query?: import('../route.js').NewQuery,
 *   samples?: number, size?: number}} props
 */
export function FeatureCard({ run, feature, query, samples = 12, size = 48 }) {
  const { names } = usePage();
  const { name } = useName(names, run, feature.feature);
  return (
    <article class="feature-card">
      <h3>
        <a class="card-link" href={to_feature(run, feature.feature, query)}>
          <span class="feature-number">{feature.feature}</span>
          <span class={name ? 'feature-name' : 'visually-hidden'}> {name ? shortened(name, 40) : 'feature'}</span>
        </a>
        <Flags run={run} flags={feature.flags} duplicate_of={feature.duplicate_of} />
      </h3>
      <div class="samples" aria-hidden="true">
        {feature.top.length === 0 && <span class="quiet">{feature.firing_rate > 0 ? 'is never positive' : 'fires on no sample'}</span>}
        {feature.top.slice(0, samples).map((item) => <Sample key={item} item={item} size={size} />)}
      </div>
      {feature.profile.length > 0 && feature.firing_rate > 0 && <ClassProfile profile={feature.profile} />}
      <dl class="facts">
        {feature.consistency !== null && (
          <div><dt>consistency</dt><dd>{percent(feature.consistency)}</dd></div>
        )}
        <div><dt>fires on</dt><dd>{percent(feature.firing_rate)}</dd></div>
        {feature.anchors > 0 && <div><dt>anchors</dt><dd>{count(feature.anchors)}</dd></div>}
      </dl>
    </article>
  );
}
