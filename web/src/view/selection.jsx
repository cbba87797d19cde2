import { Lines, RunLegend } from '../chart/lines.jsx';
import { is_number } from '../format.js';
import { kTerms } from '../measures.js';

const kTitles = { probe: 'Linear probe', knn: 'k-NN accuracy', precision: 'Precision at 10', map: 'mAP at 10' };
const title_of = (key) => kTitles[key] ?? kTerms[key]?.name ?? key.replaceAll('_', ' ');
const kKept = ['kept', 'keep', 'features', 'dims'];

/** The rows of a sweep, wherever the document keeps them: objects with a number of kept features. */
function rows_of(selection) {
  if (!selection) return [];
  const lists = [selection, ...Object.values(selection)].filter(Array.isArray);
  return lists.find((list) => list.some((row) => kKept.some((key) => is_number(row?.[key])))) ?? [];
}

const value_of = (value) => (is_number(value) ? value : (value?.mean ?? null));

/** Accuracy against the number of kept features, a chart for each quantity of the sweep. */
export function Selection({ runs }) {
  const sweeps = runs.map((run) => ({ run, rows: rows_of(run.selection) })).filter(({ rows }) => rows.length > 0);
  if (sweeps.length === 0) return null;
  const kept_of = (row) => row[kKept.find((key) => is_number(row[key]))];
  const keys = new Set(sweeps.flatMap(({ rows }) => rows.flatMap((row) => Object.keys(row))));
  const charts = [...keys]
    .filter((key) => !kKept.includes(key))
    .map((key) => ({
      key,
      series: sweeps
        .map(({ run, rows }) => ({
          run: run.run,
          name: run.name,
          points: rows
            .map((row) => ({ x: kept_of(row), y: value_of(row[key]) }))
            .filter((point) => is_number(point.x) && point.x > 0 && is_number(point.y))
            .sort((p, q) => p.x - q.x),
        }))
        .filter(({ points }) => points.length > 1),
    }))
    .filter(({ series }) => series.length > 0);
  if (charts.length === 0) return null;
  return (
    <section aria-labelledby="selection">
      <h2 id="selection">Fewer features</h2>
      <p class="quiet">What is left when only the most important features are kept.</p>
      {runs.length > 1 && <RunLegend runs={runs} />}
      <div class="small-charts">
        {charts.map(({ key, series }) => (
          <Lines key={key} title={title_of(key)} series={series} x="kept features" y={title_of(key)} logarithmic />
        ))}
      </div>
    </section>
  );
}
