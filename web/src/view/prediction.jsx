import { usePage } from '../context.js';
import { number, shortened } from '../format.js';
import { ClassLink } from '../part/class_link.jsx';
import { class_name } from '../part/item_tile.jsx';
import { ScoreTable } from '../part/score_table.jsx';
import { Term } from '../part/term.jsx';

/**
 * What the classifier takes an item for, and the features that decided.
 * @param {{run: number, prediction: import('../source/contract.js').Prediction, label: number|null}} props
 */
export function PredictionOf({ run, prediction, label }) {
  const { overview } = usePage();
  const name = (/** @type {number} */ number_of) => <b><ClassLink run={run} label={number_of} /></b>;
  const { class: taken, score, runner_up } = prediction;
  return (
    <section aria-labelledby="prediction" class="prediction">
      <h2 id="prediction">Taken for {shortened(class_name(overview, taken), 40)}{label !== null && (taken === label ? ', which is right' : `, which is wrong: it is ${shortened(class_name(overview, label), 40)}`)}</h2>
      <p>
        The <Term id="class_score">score</Term> of {name(taken)} is {number(score)}{runner_up && <>; next comes {name(runner_up.class)} with {number(runner_up.score)}</>}. These features make it:
      </p>
      <ScoreTable run={run} score={prediction} />
    </section>
  );
}
