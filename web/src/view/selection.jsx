import { Lines, RunLegend } from '../chart/lines.jsx';
import { is_number } from '../format.js';
import { Empty } from '../load.jsx';

/** @typedef {import('../source/contract.js').SweepPoint} SweepPoint */
/** @typedef {import('../source/contract.js').Run} Run */

/** @type {[string, string][]} */
const kQuantities = [
  ['probe', 'Linear probe'],
  ['knn_accuracy', 'k-NN accuracy'],
  ['precision_at_10', 'Precision at 10'],
  ['map_at_10', 'mAP at 10'],
];

/** The points of a sweep: of `orthant select --sweep --json`, or of one file of it. @param {import('../source/contract.js').Selection|null} selection */
const points_of = (selection) => selection?.points ?? selection?.files?.[0]?.points ?? [];

/** Of several rankings: the paper's (by rectified activation), or the first that is not random. @param {SweepPoint[]} points */
function chosen_ranking(points) {
  const known = points.filter((point) => point.by !== 'random');
  const best = known.find((point) => point.rank === 'relu') ?? known[0];
  return known.filter((point) => point.by === best?.by && point.rank === best?.rank);
}

/** A quantity of a point: a number, or the mean of several. @param {unknown} value @returns {number} NaN if it is neither */
function value_of(value) {
  const mean = typeof value === 'object' ? /** @type {{mean?: unknown}|null} */ (value)?.mean : value;
  return is_number(mean) ? mean : NaN;
}

/** @param {SweepPoint[]} points @param {string} key */
function curve(points, key) {
  return points
    .map((point) => ({ x: point.kept, y: value_of(point[key]) }))
    .filter((point) => point.x > 0 && is_number(point.y))
    .sort((p, q) => p.x - q.x);
}

/** @param {Run[]} runs */
function charts_of(runs) {
  const series_of = (/** @type {string} */ key) =>
    runs.flatMap((run) => {
      const points = points_of(run.selection);
      const random = points.filter((point) => point.by === 'random');
      return [
        { run: run.run, name: `${run.name}, strongest features`, points: curve(chosen_ranking(points), key) },
        { run: run.run, name: `${run.name}, random features`, faint: true, points: curve(random, key) },
      ].filter((series) => series.points.length > 1);
    });
  return kQuantities.map(([key, title]) => ({ key, title, series: series_of(key) })).filter(({ series }) => series.length > 0);
}

/** Accuracy against the number of kept features, a chart for each quantity of the sweep. @param {{runs: Run[]}} props */
export function Selection({ runs }) {
  const charts = charts_of(runs);
  return (
    <section aria-labelledby="selection">
      <h2 id="selection">Fewer features</h2>
      {charts.length === 0 ? (
        <Empty>No selection curve: <code>orthant select TEST --sweep --train TRAIN -o RUN/selection.json</code> makes one.</Empty>
      ) : (
        <>
          <p class="quiet">What is left when only some features are kept: the strongest (line) or random ones (dashed).</p>
          {runs.length > 1 && <RunLegend runs={runs} />}
          <div class="small-charts">
            {charts.map(({ key, title, series }) => <Lines key={key} title={title} series={series} x="kept features" y={title} logarithmic />)}
          </div>
        </>
      )}
    </section>
  );
}
