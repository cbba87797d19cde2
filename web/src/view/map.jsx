import { useId, useMemo } from 'preact/hooks';
import { useChosen } from '../chosen.js';
import { usePage, useRun } from '../context.js';
import { class_colour } from '../chart/colours.js';
import { count, is_number, number, shortened } from '../format.js';
import { Empty, Loaded, useLoad } from '../load.jsx';
import { MapCanvas } from '../map/map_canvas.jsx';
import { by_activation, by_class } from '../map/map_colours.js';
import { useName } from '../names.js';
import { FeatureGlimpse } from '../part/feature_glimpse.jsx';
import { FeatureLink } from '../part/feature_link.jsx';
import { FilterBar } from '../part/filter_bar.jsx';
import { class_name } from '../part/item_tile.jsx';
import { change_query, go, to_chosen, to_map } from '../route.js';

/** @typedef {import('../map/map_painter.js').MapPlace} MapPlace */

/** @type {Record<string, string>} */
const kNames = { pca: 'PCA', umap: 'UMAP', tsne: 't-SNE' };
const kMostInLegend = 24;
const kMostChoices = 1024; // in the list of features to colour by; any can be typed
const kRamp = 110; // pixels of the scale for the largest magnitude, as in map.css

/** @param {string|undefined} text @returns {number|null} */
const whole = (text) => (/^\d+$/.test(text ?? '') ? Number(text) : null);

/** Where the map stands, as the address has it. @param {string|undefined} text @returns {MapPlace|null} */
function parse_view(text) {
  const [x, y, zoom] = (text ?? '').split(',').map(Number);
  return [x, y, zoom].every(is_number) && zoom > 0 ? { x, y, zoom } : null;
}

/** @param {MapPlace} place @returns {string|null} null for the whole map */
const written_view = ({ x, y, zoom }) => (x === 0 && y === 0 && zoom === 1 ? null : [x, y, zoom].map((value) => Number(value.toPrecision(4))).join(','));

/**
 * Which feature colours the map: by number or by name.
 * @param {{run: number, feature: number|null, onChoose: (feature: number|null) => void}} props
 */
function FeatureChoice({ run, feature, onChoose }) {
  const { names } = usePage();
  const { features } = useRun(run);
  const list = useId();
  useName(names, run, 0);
  const written = (/** @type {number} */ number) => `${number}${names.of(run, number).name && `: ${shortened(names.of(run, number).name, 40)}`}`;
  const all = Array.from({ length: Math.min(features, kMostChoices) }, (_, number) => number);
  const choose = (/** @type {string} */ text) => {
    const number = Number.parseInt(text, 10);
    const named = text.trim() === '' || is_number(number) ? number : (names.search(run, text.trim())[0] ?? NaN);
    onChoose(is_number(named) && named < features ? named : null);
  };
  return (
    <label class="choice">
      <span>Colour by feature</span>
      <input type="text" class="feature-choice" list={list} placeholder="number or name" value={feature === null ? '' : written(feature)} onChange={(event) => choose(event.currentTarget.value)} />
      <datalist id={list}>
        {all.map((number) => <option key={number} value={written(number)} />)}
      </datalist>
    </label>
  );
}

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
 *   feature: number|null, mask: Uint8Array|null, query: import('../route.js').Query, theme: string}} props
 */
function Drawn({ run, layout, points, labels, values, feature, mask, query, theme }) {
  const only = whole(query.only);
  const paint = useMemo(() => (values ? by_activation(values, mask) : by_class(labels, only, mask)), [values, labels, only, mask, theme]);
  const { overview } = usePage();
  const label = `Map of ${count(points.length / 2)} items, ${kNames[layout] ?? layout}, coloured by ${values ? `feature ${feature}` : 'class'}`;
  return (
    <>
      {values && feature !== null ? <FeatureLegend run={run} feature={feature} most={paint.most} least={paint.least} /> : <ClassLegend only={only} onChoose={(label) => change_query({ only: label })} />}
      <MapCanvas
        key={overview.generated}
        run={run}
        points={points}
        colours={paint.colours}
        ranks={paint.ranks}
        labels={labels}
        describe={(item) => (values ? `activation ${number(values[item])}` : null)}
        label={label}
        view={parse_view(query.view)}
        onView={(view) => change_query({ view: written_view(view) })}
        pictures={overview.data.has_pictures ? query.dots !== '1' : null}
        onPictures={() => change_query({ dots: query.dots === '1' ? null : 1 })}
      />
    </>
  );
}

/** @param {{run: number, query: import('../route.js').Query, theme: string}} props */
export function MapView({ run, query, theme }) {
  const { source, overview } = usePage();
  const { name, maps, features } = useRun(run);
  const layout = maps.find((map) => map === query.layout) ?? maps.find((map) => map === 'umap') ?? maps.at(0) ?? null;
  const wanted = whole(query.feature) ?? whole(/^feature:(\d+)$/.exec(query.colour ?? '')?.[1]);
  const feature = wanted !== null && wanted < features ? wanted : null;
  const load = useLoad(
    async () => layout && Promise.all([source.map(run, layout), source.labels(), feature === null ? null : source.activations(run, feature)]),
    ['map', run, layout, feature],
  );
  const { chosen, error } = useChosen(run, query, { hand: true });
  if (!layout) return <><h1>Map</h1><Empty>No map was computed for this run.</Empty></>;
  const colour_by = (/** @type {number|null} */ number) => change_query({ feature: null, only: null, colour: number === null ? null : `feature:${number}` });
  return (
    <>
      <h1>Map of {shortened(name, 60)}</h1>
      <p class="lead">Items near each other have similar features. Drag to move (two fingers on a touch screen), scroll to zoom in until points become pictures, click a point to open its item. Conditions and the lasso dim all others; <a href={to_chosen(run, { filter: query.filter })}>what they have in common</a>.</p>
      <div class="controls">
        {overview.runs.length > 1 && (
          <label class="choice">
            <span>Run</span>
            <select value={run} onChange={(event) => go(to_map(Number(event.currentTarget.value), { layout, only: query.only }))}>
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
        <FeatureChoice run={run} feature={feature} onChoose={colour_by} />
        {feature !== null && <button type="button" onClick={() => colour_by(null)}>{overview.data.classes.length ? 'Colour by class' : 'One colour'}</button>}
      </div>
      <FilterBar run={run} query={query} chosen={chosen} error={error} hand label="Show in colour only items with">
        <Loaded load={load} what="the map">
          {(loaded) => loaded && <Drawn run={run} layout={layout} points={loaded[0]} labels={loaded[1]} values={loaded[2]} feature={feature} mask={chosen?.mask ?? null} query={query} theme={theme} />}
        </Loaded>
      </FilterBar>
    </>
  );
}
