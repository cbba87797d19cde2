import { Lines, RunLegend } from '../chart/lines.jsx';
import { is_number } from '../format.js';
import { Empty } from '../load.jsx';

const kCurves = [
  ['loss', 'Training loss'],
  ['eval_loss', 'Evaluation loss'],
  ['test_accuracy', 'Test accuracy'],
  ['test_loss', 'Test loss'],
  ['knn_backbone', 'k-NN accuracy of the backbone'],
  ['sparsity', 'Sparsity'],
  ['consistency', 'Class consistency'],
  ['consistency_top', 'Class consistency, strongest 1 %'],
  ['correlation', 'Correlation between features'],
  ['effective_rank', 'Effective rank (nats)'],
  ['dead_features', 'Dead features'],
  ['explained_variance', 'Variance explained, rows held out'],
  ['one_nn_code', '1-NN accuracy of the codes'],
  ['recall_of_dense_10', 'Kept of the ten nearest'],
  ['a_to_b_recall_at_10', 'Partner among ten'],
  ['held_out_dead_share', 'Share of dead features'],
];

/** What says nothing where nothing has a class. */
const kOfClasses = ['consistency', 'consistency_top'];

/** Training curves: a small chart for each quantity, a line for each run. @param {{runs: import('../source/contract.js').Run[]}} props */
export function Curves({ runs }) {
  const charts = kCurves
    .map(([key, title]) => ({
      key,
      title,
      series: runs
        .map((run) => ({
          run: run.run,
          name: run.name,
          points: (run.curves ?? [])
            .map((epoch, at) => ({ x: epoch.epoch ?? at + 1, y: epoch[key] }))
            .filter((point) => is_number(point.y)),
        }))
        .filter(({ points }) => points.length > 0),
    }))
    .filter(({ key, series }) => series.length > 0 && !(kOfClasses.includes(key) && series.every(({ points }) => points.every(({ y }) => y === 0))));
  return (
    <section aria-labelledby="training">
      <h2 id="training">Training</h2>
      {charts.length === 0 ? (
        <Empty>No training curves: these features come from a file, not from a run.</Empty>
      ) : (
        <>
          {runs.length > 1 && <RunLegend runs={runs} />}
          <div class="small-charts">
            {charts.map(({ key, title, series }) => (
              <Lines key={key} title={title} series={series} x="epoch" y={title} />
            ))}
          </div>
        </>
      )}
    </section>
  );
}
