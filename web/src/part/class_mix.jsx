import { useMemo } from 'preact/hooks';
import { class_colour } from '../chart/colours.js';
import { usePage } from '../context.js';
import { count, fixed, percent, shortened } from '../format.js';
import { useLoad } from '../load.jsx';
import { ClassLink } from './class_link.jsx';
import { class_name } from './item_tile.jsx';

const kMost = 6;

/**
 * How many items each class has among the chosen and among all.
 * @param {Int32Array} labels
 * @param {Uint8Array|null} mask
 * @param {number} classes
 */
export function mix_of(labels, mask, classes) {
  const [here, all] = [new Uint32Array(classes), new Uint32Array(classes)];
  let [labelled, labelled_here] = [0, 0];
  for (let item = 0; item < labels.length; ++item) {
    const label = labels[item];
    if (label < 0 || label >= classes) continue;
    ++all[label];
    ++labelled;
    if (mask && !mask[item]) continue;
    ++here[label];
    ++labelled_here;
  }
  const rows = [...here.keys()].map((label) => ({ label, here: here[label], all: all[label], share: labelled_here ? here[label] / labelled_here : 0, share_of_all: labelled ? all[label] / labelled : 0 }));
  return { labelled, labelled_here, rows: rows.sort((x, y) => y.here - x.here || y.all - x.all || x.label - y.label) };
}

/** @param {{rows: {label: number, share: number}[], label: string}} props */
const Bar = ({ rows, label }) => (
  <span class="profile-bar" role="img" aria-label={label}>
    {rows.map(({ label: at, share }) => share > 0 && <i key={at} style={{ width: `${share * 100}%`, background: class_colour(at) }} />)}
  </span>
);

/**
 * The classes of the chosen items beside those of all; choosing one narrows the filter to it.
 * @param {{run: number, chosen: import('../chosen.js').Chosen, onChoose?: (label: number) => void}} props
 */
export function ClassMix({ run, chosen, onChoose }) {
  const { source, overview } = usePage();
  const classes = overview.data.classes.length;
  const labels = useLoad(() => source.labels(), ['labels']);
  const mix = useMemo(() => labels.value && mix_of(labels.value, chosen.mask, classes), [labels.value, chosen.mask, classes]);
  if (!mix || classes === 0 || mix.labelled === 0 || !chosen.mask) return null;
  const shown = mix.rows.filter((row) => row.here > 0).slice(0, kMost);
  const rest = mix.rows.filter((row) => row.here > 0).length - shown.length;
  return (
    <div class="class-mix">
      <div class="mix-bars">
        <span>these</span><Bar rows={mix.rows} label="Classes of these items" />
        <span>all items</span><Bar rows={mix.rows.map(({ label, share_of_all }) => ({ label, share: share_of_all }))} label="Classes of all items" />
      </div>
      {shown.length > 0 && (
        <table class="mix">
          <thead>
            <tr><th scope="col">Class</th><th scope="col" class="numeric">items</th><th scope="col" class="numeric">of these</th><th scope="col" class="numeric">of all items</th><th scope="col" class="numeric">against all</th></tr>
          </thead>
          <tbody>
            {shown.map(({ label, here, share, share_of_all }) => (
              <tr key={label}>
                <th scope="row"><i class="dot" style={{ background: class_colour(label) }} /> <ClassLink run={run} label={label} length={24} /></th>
                <td class="numeric">{onChoose ? <button type="button" class="plain" title="Keep only these" aria-label={`Keep only the ${count(here)} of ${shortened(class_name(overview, label), 40)}`} onClick={() => onChoose(label)}>{count(here)}</button> : count(here)}</td>
                <td class="numeric">{percent(share)}</td>
                <td class="numeric">{percent(share_of_all)}</td>
                <td class="numeric">{fixed(share / share_of_all, 1)} ×</td>
              </tr>
            ))}
          </tbody>
          {rest > 0 && <caption class="below">and {rest} more {rest === 1 ? 'class' : 'classes'} with fewer</caption>}
        </table>
      )}
    </div>
  );
}
