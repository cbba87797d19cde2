import { dot, lineY } from '@observablehq/plot';
import { number, shortened } from '../format.js';
import { Chart } from './chart.jsx';

export const kRunColours = ['var(--run-0)', 'var(--run-1)', 'var(--run-2)', 'var(--run-3)'];
/** @param {number} run */
export const run_colour = (run) => kRunColours[run % kRunColours.length];

/** Steps of 1, 2, 5, 10, ... between whole numbers, so that there is no epoch 3.5. @param {number[]} values */
function whole_ticks(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const least = Math.max(1, (high - low) / 5);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= least) ?? 10 * power;
  /** @type {number[]} */
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) ticks.push(tick);
  return ticks;
}

/**
 * One line for each series over a common x; a `faint` one is dashed.
 * @typedef {{run: number, name: string, faint?: boolean, points: {x: number, y: number}[]}} Series
 * @param {{series: Series[], x: string, y: string, title: string, logarithmic?: boolean, height?: number}} props
 */
export function Lines({ series, x, y, title, logarithmic = false, height = 170 }) {
  const points = series.flatMap(({ run, name, faint = false, points: own }) => own.map((point) => ({ ...point, run, name, faint })));
  /** @typedef {(typeof points)[0]} Point */
  const strong = points.filter((point) => !point.faint);
  const whole = !logarithmic && points.every((point) => Number.isInteger(point.x));
  const flat = points.every((point) => point.y === points[0].y); // of which a scale would show every digit
  const last = series.map(({ name, points: own }) => `${shortened(name, 40)} ends at ${number(own[own.length - 1].y)}`).join(', ');
  return (
    <figure class="small-chart">
      <figcaption>{title}</figcaption>
      <Chart
        label={`${y} by ${x}: ${last}`}
        keys={[JSON.stringify(series)]}
        height={height}
        options={() => ({
          x: { label: x, ticks: whole ? whole_ticks(points.map((point) => point.x)) : 5, type: logarithmic ? 'log' : 'linear', tickFormat: (/** @type {number} */ value) => number(value) },
          y: { label: null, grid: true, nice: true, ...(flat ? { ticks: 1, tickFormat: (/** @type {number} */ value) => number(value) } : { ticks: 4 }) },
          marks: [
            lineY(points.filter((point) => point.faint), { x: 'x', y: 'y', z: 'run', stroke: (/** @type {Point} */ point) => run_colour(point.run), strokeDasharray: '3 3' }),
            lineY(strong, { x: 'x', y: 'y', z: 'run', stroke: (/** @type {Point} */ point) => run_colour(point.run), strokeWidth: 1.75 }),
            dot(points, {
              x: 'x', y: 'y', r: points.length > 120 ? 1 : 2.5, fill: (/** @type {Point} */ point) => run_colour(point.run),
              title: (/** @type {Point} */ point) => `${shortened(point.name, 40)}, ${x} ${number(point.x)}: ${number(point.y)}`,
            }),
          ],
        })}
      />
    </figure>
  );
}

/** @param {{runs: import('../source/contract.js').Run[]}} props */
export function RunLegend({ runs }) {
  return (
    <ul class="legend" aria-label="Colours of the runs">
      {runs.map((run) => (
        <li key={run.run}>
          <i style={{ background: run_colour(run.run) }} /> {shortened(run.name, 40)}
        </li>
      ))}
    </ul>
  );
}
