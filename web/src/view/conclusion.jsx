import { Fragment } from 'preact';
import { useChance } from '../chance.js';
import { usePage } from '../context.js';
import { count, fixed, is_number, percent, shortened } from '../format.js';
import { measure_of, parameter_of } from '../measures.js';
import { method_of, spoken_name } from '../methods.js';

/** @typedef {import('../source/contract.js').Run} Run */

/** The run that is spoken of and the one it is held against, if there is any. @param {Run[]} runs @returns {[Run, Run|null]} */
function subject_of(runs) {
  const active = (/** @type {Run} */ run) => measure_of(run.measures, 'active_per_sample') ?? run.features;
  const non_negative = (/** @type {Run} */ run) => method_of(run)?.non_negative === true;
  const order = [...runs].sort((x, y) => Number(non_negative(y)) - Number(non_negative(x)) || active(x) - active(y));
  const others = runs.filter((run) => run !== order[0]);
  return [order[0], others.find((run) => method_of(run)?.non_negative === false) ?? others[0] ?? null];
}

const features = (/** @type {number} */ value) => (value < 9.95 ? fixed(value, 1) : count(value));

/**
 * What the runs are like in three numbers, in words for someone who has never heard of the measures.
 * @param {{runs: Run[]}} props
 */
export function Conclusion({ runs }) {
  const { overview } = usePage();
  const chance = useChance();
  const [subject, base] = subject_of(runs);
  const [one, many] = overview.data.has_sounds ? ['sound', 'sounds'] : overview.data.has_pictures ? ['picture', 'pictures'] : ['item', 'items'];
  const by_chance = chance && <> <span class="numbers">(by chance {percent(chance.largest, 0)})</span></>;
  /** @type {[string, (value: number) => string, string, import('preact').ComponentChildren][]} */
  const parts = [
    ['active_per_sample', features, `features per ${one}`, null],
    ['class_consistency.positive', (value) => percent(value, 0), `of a feature's ${many} share a class`, by_chance],
    ['knn_accuracy', (value) => percent(value, 0), `of the ${many} are told right by their nearest neighbours`, by_chance],
  ];
  const k = parameter_of(subject, 'knn-accuracy', 'k');
  const all_vote = is_number(k) && k >= overview.data.items - 1; // then the nearest neighbours are everyone
  const known = parts.filter(([key]) => key !== 'knn_accuracy' || !all_vote).flatMap(([key, format, words, more]) => {
    const [own, other] = [measure_of(subject.measures, key), base && measure_of(base.measures, key)];
    return own === null ? [] : [{ key, own: format(own), other: other === null ? null : format(other), words, more }];
  });
  if (known.length === 0) return null;
  return (
    <p class="conclusion">
      <b>{shortened(spoken_name(subject), 40)}</b>{base && <> compared with <b>{shortened(spoken_name(base), 40)}</b></>}:{' '}
      {known.map(({ key, own, other, words, more }, at) => (
        <Fragment key={key}>
          {at > 0 && '; '}
          <b class="numbers">{own}</b> {words}
          {other !== null && (other === own ? ' in both' : <> instead of <b class="numbers">{other}</b></>)}
          {more}
        </Fragment>
      ))}.
    </p>
  );
}
