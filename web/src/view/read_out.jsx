import { ConfusionTable } from '../chart/confusion_table.jsx';
import { usePage } from '../context.js';
import { count, number, percent, shortened } from '../format.js';
import { class_name } from '../part/item_tile.jsx';
import { ClassLink } from '../part/class_link.jsx';
import { ScoreTable } from '../part/score_table.jsx';
import { Term } from '../part/term.jsx';
import { change_query, useRoute } from '../route.js';

/**
 * @typedef {import('../source/contract.js').Run} Run
 * @typedef {import('../source/contract.js').ReadOut} ReadOut
 */

/** How often it is right, and where it is not. @param {{run: number, read_out: Omit<ReadOut, 'carried'>}} props */
export function Verdict({ run, read_out }) {
  const { accuracy, commonest, worst, recall, judged, mistakes } = read_out;
  const name = (/** @type {number} */ label) => <b><ClassLink run={run} label={label} length={32} /></b>;
  if (accuracy === null) return <p>The items have no labels, so how often it is right is not known.</p>;
  const missed = mistakes.find(({ label }) => label === worst);
  return (
    <p>
      <b class="numbers">{percent(accuracy, 1)}</b> of {count(judged)} items are told right; always naming the most frequent class would be right for {percent(commonest, 1)}.
      {worst !== null && accuracy < 1 && <> Hardest is {name(worst)}, right in {percent(recall[worst], 1)}</>}
      {worst !== null && missed && accuracy < 1 && <>, most often taken for {name(missed.predicted)} ({percent(missed.share, 1)})</>}
      {worst !== null && accuracy < 1 && '.'}
    </p>
  );
}

/** The most frequent confusions in words. @param {{run: number, read_out: Omit<ReadOut, 'carried'>}} props */
export function Mistakes({ run, read_out }) {
  if (read_out.mistakes.length === 0) return null;
  return (
    <ul class="mistakes">
      {read_out.mistakes.map(({ label, predicted, items, share }) => (
        <li key={`${label}/${predicted}`}><ClassLink run={run} label={label} length={32} /> taken for <ClassLink run={run} label={predicted} length={32} />: <span class="numbers">{percent(share, 1)}</span> <span class="quiet numbers">({count(items)} items)</span></li>
      ))}
    </ul>
  );
}

/** Which features carry the score of one class. @param {{run: number, read_out: ReadOut}} props */
function Carried({ run, read_out }) {
  const { overview } = usePage();
  const { query } = useRoute();
  const key = `carried${run}`;
  const chosen = read_out.carried[Number(query[key] ?? 0)] ?? read_out.carried[0];
  return (
    <section class="carried" aria-labelledby={`carried-${run}`}>
      <h3 id={`carried-${run}`}>Which features carry a class</h3>
      <label class="choice">
        <span>Class</span>
        <select value={chosen.class} onChange={(event) => change_query({ [key]: event.currentTarget.value })}>
          {read_out.carried.map(({ class: label }) => <option key={label} value={label}>{shortened(class_name(overview, label), 40)}</option>)}
        </select>
      </label>
      {chosen.items === 0 || chosen.score === null ? <p class="quiet">{chosen.items === 0 ? 'No item here is of this class.' : 'This class is never predicted.'}</p> : (
        <>
          <p class="quiet">
            What each feature adds to the <Term id="class_score">score</Term> of <ClassLink run={run} label={chosen.class} length={32} />, on average over its {count(chosen.items)} items. The parts add up to {number(chosen.score)}.
          </p>
          <ScoreTable run={run} score={chosen} mean />
        </>
      )}
    </section>
  );
}

/** What the classifiers of supervised runs do; nothing for other runs. @param {{runs: Run[]}} props */
export function ReadOuts({ runs }) {
  const own = runs.flatMap((run) => (run.classifier ? [{ ...run, read_out: run.classifier }] : []));
  if (own.length === 0) return null;
  return (
    <section aria-labelledby="read-out">
      <h2 id="read-out">What is taken for what, and by which features</h2>
      <div class="side-by-side read-outs">
        {own.map(({ run, name, read_out }) => (
          <div key={run} class="card">
            <h3>{shortened(name, 40)}</h3>
            <Verdict run={run} read_out={read_out} />
            {read_out.counts && read_out.judged > 0
              ? <><p class="quiet">Percent of each class (row) that are taken for another (column); hover for counts.</p><ConfusionTable run={run} counts={read_out.counts} /></>
              : <Mistakes run={run} read_out={read_out} />}
            <Carried run={run} read_out={read_out} />
          </div>
        ))}
      </div>
    </section>
  );
}
