import { ConfusionTable } from '../chart/confusion_table.jsx';
import { class_colour } from '../chart/colours.js';
import { usePage, useRun } from '../context.js';
import { count, percent, shortened } from '../format.js';
import { Empty, Loaded, useLoad } from '../load.jsx';
import { ClassLink } from '../part/class_link.jsx';
import { mix_of } from '../part/class_mix.jsx';
import { Term } from '../part/term.jsx';
import { to_items } from '../route.js';
import { Mistakes, Verdict } from './read_out.jsx';

/**
 * What items are taken for: by the run's classifier, or where it has none by a vote of their nearest others.
 * @param {import('../source/contract.js').Source} source
 * @param {import('../source/contract.js').Run} run
 */
export async function taken_for(source, run) {
  if (run.classifier) return { found: run.classifier, k: null };
  const vote = await source.vote(run.run);
  return vote && { found: vote, k: vote.k };
}

/** @param {{k: number|null}} props */
export const Taker = ({ k }) => (k === null ? <>By the run's classifier.</> : <>This run has no classifier: each item is taken for what most of its {k} nearest others are (<Term id="vote">k-NN vote</Term>).</>);

/** @param {{run: number}} props */
function Confusion({ run }) {
  const { source } = usePage();
  const about = useRun(run);
  const load = useLoad(() => taken_for(source, about), ['taken for', run]);
  return (
    <section aria-labelledby="taken">
      <h2 id="taken">What is taken for what</h2>
      <Loaded load={load} what="what is taken for what">
        {(taken) => (!taken || taken.found.judged === 0 ? <Empty>No item here has a class.</Empty> : (
          <>
            <p class="quiet"><Taker k={taken.k} /></p>
            <Verdict run={run} read_out={taken.found} />
            {taken.found.counts
              ? <><p class="quiet">Percent of each class (row) that are taken for another (column); hover for counts.</p><ConfusionTable run={run} counts={taken.found.counts} /></>
              : <Mistakes run={run} read_out={taken.found} />}
          </>
        ))}
      </Loaded>
    </section>
  );
}

/** All classes: how many items they have, and what is taken for what. @param {{run: number}} props */
export function ClassesView({ run }) {
  const { source, overview } = usePage();
  const { name } = useRun(run);
  const labels = useLoad(() => source.labels(), ['labels']);
  const classes = overview.data.classes.length;
  if (classes === 0) return <><h1>Classes</h1><Empty>The items have no labels, so there are no classes to compare.</Empty></>;
  return (
    <>
      <h1>Classes seen by {shortened(name, 60)}</h1>
      <p class="lead">Pick one: the features that tell it from all others. The features were not told the classes unless the run was supervised.</p>
      <Loaded load={labels} what="the classes">
        {(list) => {
          const { labelled, rows } = mix_of(list, null, classes);
          return (
            <section aria-labelledby="all-classes">
              <h2 id="all-classes">{count(classes)} {classes === 1 ? 'class' : 'classes'}, {count(labelled)} items with a label</h2>
              <ul class="class-list">
                {rows.sort((x, y) => x.label - y.label).map(({ label, here, share }) => (
                  <li key={label}><i class="dot" style={{ background: class_colour(label) }} /> <ClassLink run={run} label={label} length={32} /> <a class="quiet numbers" href={to_items(run, { class: label })}>{count(here)} items, {percent(share)}</a></li>
                ))}
              </ul>
            </section>
          );
        }}
      </Loaded>
      <Confusion run={run} />
    </>
  );
}
