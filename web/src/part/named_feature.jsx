import { FeatureGlimpse } from './feature_glimpse.jsx';
import { FeatureLink } from './feature_link.jsx';

/**
 * A feature in a table: by number and name, and by what it stands for.
 * @param {{run: number, feature: number, side?: import('../sides.js').Side, samples?: number, length?: number}} props
 */
export const NamedFeature = ({ run, feature, side, samples, length }) => (
  <span class="named-feature">
    <FeatureLink run={run} feature={feature} length={length} />
    <FeatureGlimpse run={run} feature={feature} side={side} samples={samples} />
  </span>
);
