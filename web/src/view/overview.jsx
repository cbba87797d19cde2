import { Fragment } from 'preact';
import { usePage } from '../context.js';
import { HeatMap } from '../chart/heat_map.jsx';
import { HistogramChart } from '../chart/histogram.jsx';
import { count, date, plural, shortened } from '../format.js';
import { measure_of } from '../measures.js';
import { method_of } from '../methods.js';
import { ClassLink } from '../part/class_link.jsx';
import { Term } from '../part/term.jsx';
import { to_classes, to_features, to_items, to_map } from '../route.js';
import { AskBox } from './ask.jsx';
import { Conclusion } from './conclusion.jsx';
import { Curves } from './curves.jsx';
import { FirstLook } from './first_look.jsx';
import { KeptOfVectors } from './kept.jsx';
import { MeasureTable } from './measure_table.jsx';
import { ReadOuts } from './read_out.jsx';
import { Recipes } from './recipes.jsx';
import { Selection } from './selection.jsx';

/** @typedef {import('../source/contract.js').Run} Run */

/** What a run is, and the ways into it. @param {{run: Run}} props */
function RunLine({ run }) {
  const method = method_of(run);
  const { overview: { data } } = usePage();
  return (
    <li>
      <strong>{shortened(run.name, 60)}</strong>: {method ? `${method.name}: ${method.about}` : run.method ? shortened(run.method, 30) : 'features from a file'}.{' '}
      {plural(run.features, 'feature')} · <a href={to_features(run.run)}>features</a> · <a href={to_items(run.run)}>items</a>{data.classes.length > 0 && <> · <a href={to_classes(run.run)}>classes</a></>}
      {run.maps.length > 0 && <> · <a href={to_map(run.run)}>map</a></>}
    </li>
  );
}

/** @param {{overview: import('../source/contract.js').Overview}} props */
function About({ overview }) {
  const { data, runs } = overview;
  const shown = data.items_shown ?? data.items;
  return (
    <section aria-labelledby="about">
      <h1 id="about">What the features mean: {runs.map((run) => shortened(run.name, 60)).join(' beside ')}</h1>
      <ul class="run-list">
        {runs.map((run) => <RunLine key={run.run} run={run} />)}
      </ul>
      <Conclusion runs={runs} />
      <p>
        {plural(shown, 'item')}
        {data.spec && <> of <code>{shortened(data.spec, 80)}</code></>}
        {data.split && ` (${shortened(data.split, 40)})`}
        {shown < data.items && `, evenly chosen from ${count(data.items)} to keep this file small`},{' '}
        {data.classes.length ? `${plural(data.classes.length, 'class', 'classes')}: ` : 'without labels'}
        {data.classes.slice(0, 12).map((_, label) => <Fragment key={label}>{label > 0 && ', '}<ClassLink run={0} label={label} length={24} /></Fragment>)}{data.classes.length > 12 && ' and more'}.
        {data.has_sounds && ' Each is a sound, shown as its spectrogram: time to the right, pitch upwards, brighter is louder. Its triangle plays it.'}
        {data.has_pictures
          ? data.has_texts && ' Each has texts, whose words name the features.'
          : ` Items have no pictures here: they are shown by ${data.has_texts ? 'their texts' : 'id'}${data.classes.length ? ' and class' : ''}.`}
      </p>
    </section>
  );
}

/**
 * The same kind of chart for every run, side by side.
 * @param {{title: import('preact').ComponentChildren, runs: Run[], children: (run: Run) => import('preact').ComponentChildren}} props
 */
function SideBySide({ title, runs, children }) {
  return (
    <section>
      <h2>{title}</h2>
      <div class="side-by-side">
        {runs.map((run) => (
          <div key={run.run} class="card">
            <h3>{shortened(run.name, 40)}</h3>
            {children(run)}
          </div>
        ))}
      </div>
    </section>
  );
}

/** @param {{theme: string}} props */
export function OverviewView({ theme }) {
  const { overview } = usePage();
  const { runs } = overview;
  return (
    <>
      <About overview={overview} />
      <AskBox />
      <FirstLook runs={runs} />
      <ReadOuts runs={runs} />
      <KeptOfVectors runs={runs} />
      <MeasureTable runs={runs} />
      <SideBySide title={<>How many features describe an item: <Term id="active_per_sample">active features</Term></>} runs={runs}>
        {(run) => <HistogramChart histogram={run.histograms.sparsity} x="active features in an item" y="items" />}
      </SideBySide>
      {overview.data.classes.length > 0 && (
        <SideBySide title={<>How pure features are: <Term id="class_consistency.positive">class consistency</Term></>} runs={runs}>
          {(run) => <HistogramChart histogram={run.histograms.consistency} x="class consistency" y="features" />}
        </SideBySide>
      )}
      <SideBySide title={<>How alike features are: <Term id="correlation.mean">correlation</Term></>} runs={runs}>
        {(run) => <HeatMap run={run.run} correlation={run.correlation} mean={measure_of(run.measures, 'correlation.mean')} theme={theme} />}
      </SideBySide>
      <Curves runs={runs} />
      <Selection runs={runs} />
      <Recipes runs={runs} />
      <p class="quiet">Made by Orthant {overview.orthant}, {date(overview.generated)}.</p>
    </>
  );
}
