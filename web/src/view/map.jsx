import { useMemo, useState } from 'preact/hooks';
import { usePage, useRun } from '../context.js';
import { class_colour } from '../chart/colours.js';
import { count, number, shortened } from '../format.js';
import { Empty, Loaded, useLoad } from '../load.jsx';
import { MapCanvas } from '../map/map_canvas.jsx';
import { by_activation, by_class } from '../map/map_colours.js';
import { FeatureGlimpse } from '../part/feature_glimpse.jsx';
import { FeatureLink } from '../part/feature_link.jsx';
import { class_name } from '../part/item_tile.jsx';
import { change_query, go, to_map } from '../route.js';

/** @type {Record<string, string>} */
const kNames = { pca: 'PCA', umap: 'UMAP', tsne: 't-SNE' };
const kMostInLegend = 24;
const kRamp = 110; // pixels of the scale for the largest magnitude, as in map.css

/** @param {{only: number|null, onChoose: (label: number|null) => void}} props */
function ClassLegend({ only, onChoose }) {
  const { overview } = usePage();
  const { classes } = overview.data;
  if (classes.length === 0) return <p class="quiet">There are no labels: all points have one colour. Choose a feature to colour them.</p>;
  return (
    <ul class="legend buttons" aria-label="Classes">
      {classes.slice(0, kMostInLegend).map((_, label) => (
        <li key={label}>
          <button type="button" aria-pressed={only === label} onClick={() => onChoose(only === label ? null : label)}>
            <i style={{ background: class_colour(label) }} /> {shortened(class_name(overview, label), 24)}
          </button>
        </li>
      ))}
      {classes.length > kMostInLegend && <li class="quiet">and {count(classes.length - kMostInLegend)} more</li>}
    </ul>
  );
}

/** @param {{run: number, feature: number, most: number, least: number}} props */
function FeatureLegend({ run, feature, most, least }) {
  const width = (/** @type {number} */ value) => ({ width: `${(kRamp * value) / Math.max(most, -least)}px` });
  return (
    <p class="legend">
      <span class="legend-feature">Feature <FeatureLink run={run} feature={feature} /></span>
      {least < 0 && <FeatureGlimpse run={run} feature={feature} side="negative" />}
      <span class="map-scale">
        {least < 0 && <><span class="numbers">{number(least)}</span> <i class="ramp negative" style={width(-least)} /></>}
        <span>silent</span> <i class="pale" />
        {most > 0 && <><i class="ramp" style={width(most)} /> <span class="numbers">{number(most)}</span></>}
      </span>
      {most > 0 && <FeatureGlimpse run={run} feature={feature} />}
    </p>
  );
}

/**
 * @param {{run: number, layout: string, points: Float32Array, labels: Int32Array, values: Float32Array|null,
 *   feature: number|null, theme: string}} props
 */
function Drawn({ run, layout, points, labels, values, feature, theme }) {
  const [only, set_only] = useState(/** @type {number|null} */ (null));
  const paint = useMemo(() => (values ? by_activation(values) : by_class(labels, only)), [values, labels, only, theme]);
  const { overview } = usePage();
  const label = `Map of ${count(points.length / 2)} items, ${kNames[layout] ?? layout}, coloured by ${values ? `feature ${feature}` : 'class'}`;
  return (
    <>
      {values && feature !== null ? <FeatureLegend run={run} feature={feature} most={paint.most} least={paint.least} /> : <ClassLegend only={only} onChoose={set_only} />}
      <MapCanvas
        key={overview.generated}
        run={run}
        points={points}
        colours={paint.colours}
        order={paint.order}
        labels={labels}
        describe={(item) => (values ? `activation ${number(values[item])}` : null)}
        label={label}
      />
    </>
  );
}

/** @param {{run: number, query: import('../route.js').Query, theme: string}} props */
export function MapView({ run, query, theme }) {
  const { source, overview } = usePage();
  const { name, maps, features } = useRun(run);
  const layout = maps.find((map) => map === query.layout) ?? maps.find((map) => map === 'umap') ?? maps.at(0) ?? null;
  const match = /^feature:(\d+)$/.exec(query.colour ?? '');
  const feature = match && Number(match[1]) < features ? Number(match[1]) : null;
  const load = useLoad(
    async () => layout && Promise.all([source.map(run, layout), source.labels(), feature === null ? null : source.activations(run, feature)]),
    ['map', run, layout, feature],
  );
  if (!layout) return <><h1>Map</h1><Empty>No map was computed for this run.</Empty></>;
  const colour_by = (/** @type {string} */ text) => change_query({ colour: text === '' ? null : `feature:${text}` });
  return (
    <>
      <h1>Map of {shortened(name, 60)}</h1>
      <p class="lead">Items near each other have similar features. Drag to move, scroll to zoom, click a point to open its item.</p>
      <div class="controls">
        {overview.runs.length > 1 && (
          <label class="choice">
            <span>Run</span>
            <select value={run} onChange={(event) => go(to_map(Number(event.currentTarget.value), { layout }))}>
              {overview.runs.map((other) => <option key={other.run} value={other.run}>{shortened(other.name, 40)}</option>)}
            </select>
          </label>
        )}
        <label class="choice">
          <span>Layout</span>
          <select value={layout} onChange={(event) => change_query({ layout: event.currentTarget.value })}>
            {maps.map((other) => <option key={other} value={other}>{kNames[other] ?? other}</option>)}
          </select>
        </label>
        <label class="choice">
          <span>Colour by feature</span>
          <input type="number" min="0" max={features - 1} placeholder="class" value={feature ?? ''} onChange={(event) => colour_by(event.currentTarget.value)} />
        </label>
        {feature !== null && <button type="button" onClick={() => colour_by('')}>Colour by class</button>}
      </div>
      <Loaded load={load} what="the map">
        {(loaded) => loaded && <Drawn run={run} layout={layout} points={loaded[0]} labels={loaded[1]} values={loaded[2]} feature={feature} theme={theme} />}
      </Loaded>
    </>
  );
}
