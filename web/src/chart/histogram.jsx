import { rectY, ruleY } from '@observablehq/plot';
import { count, number } from '../format.js';
import { Empty } from '../load.jsx';
import { Chart } from './chart.jsx';

/**
 * Counts over ranges. `x` names what is counted, `y` what the counts are of.
 * @param {{histogram: import('../source/contract.js').Histogram|undefined, x: string, y: string, height?: number}} props
 */
export function HistogramChart({ histogram, x, y, height = 170 }) {
  const { edges, counts } = histogram ?? { edges: [], counts: [] };
  const total = counts.reduce((sum, value) => sum + value, 0);
  if (total === 0) return <Empty>Nothing to count: no {y} here.</Empty>;
  const bars = counts.map((value, at) => ({ low: edges[at], high: edges[at + 1], value }));
  const most = bars.reduce((best, bar) => (bar.value > best.value ? bar : best));
  const label = `${x}: ${count(total)} ${y}, most (${count(most.value)}) between ${number(most.low)} and ${number(most.high)}`;
  return (
    <Chart
      label={label}
      keys={[JSON.stringify(histogram)]}
      height={height}
      options={() => ({
        x: { label: x, ticks: 6 },
        y: { label: y, ticks: 4, grid: true },
        marks: [
          rectY(bars, {
            x1: 'low', x2: 'high', y: 'value', fill: 'var(--accent)', inset: 0.5,
            title: (/** @type {typeof most} */ bar) => `${number(bar.low)} to ${number(bar.high)}: ${count(bar.value)} ${y}`,
          }),
          ruleY([0]),
        ],
      })}
    />
  );
}
