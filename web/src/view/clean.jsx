import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { Decisions, rows_of, to_csv, to_json } from '../clean/decisions.js';
import { usePage, useRun } from '../context.js';
import { count, fixed, number, percent, plural, shortened } from '../format.js';
import { Empty, Loaded, useLoad } from '../load.jsx';
import { class_name, ItemTile, ItemWords } from '../part/item_tile.jsx';
import { NamedFeature } from '../part/named_feature.jsx';
import { Picture } from '../part/picture.jsx';
import { change_query, to_item } from '../route.js';

/** @typedef {import('../source/contract.js').Suspect} Suspect @typedef {import('../source/contract.js').Clean} Clean */

/** @type {Record<string, {title: string, about: string}>} */
const kKinds = {
  label: { title: 'Labels', about: 'Another class is much likelier than the label, for a judge that has not seen it.' },
  duplicate: { title: 'Duplicates', about: 'Nearly the same as an item before it.' },
  leak: { title: 'Leaks', about: 'Nearly the same as an item of the training data.' },
  outlier: { title: 'Outliers', about: 'Far from all other items.' },
  empty: { title: 'Empty', about: 'No feature fires on it.' },
};

/** @type {Record<string, string>} */
const kWords = { keep: 'kept', relabel: 'relabelled', drop: 'dropped' };

/** @param {string} text @param {string} name @param {string} type */
function download(text, name, type) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Why an item is suspect, in a sentence. @param {{run: number, suspect: Suspect}} props */
function Why({ run, suspect }) {
  const { overview } = usePage();
  const { kind, distance } = suspect;
  if (kind === 'label') {
    const { own = 0, likelier = 0 } = suspect;
    return <p>Labelled <strong>{shortened(class_name(overview, suspect.label), 40)}</strong> ({percent(own)}), but <strong>{shortened(class_name(overview, suspect.suggested), 40)}</strong> is {own > 0 ? `${count(likelier / own)} times as likely` : 'far likelier'} ({percent(likelier)}).</p>;
  }
  if (kind === 'duplicate') return <p>{distance === 0 ? 'The same as' : 'Like'} <a href={to_item(run, suspect.other ?? 0)}>item {suspect.other}</a>{distance !== 0 && <>: {percent(distance)} of the distance to its tenth nearest</>}.</p>;
  if (kind === 'outlier') return <p>{fixed(distance, 2)} times as far from its nearest as usual.</p>;
  return <p>{kKinds[kind]?.about}</p>;
}

/** What speaks for the suggested class. @param {{run: number, reasons: {feature: number, value: number}[]}} props */
function Reasons({ run, reasons }) {
  if (reasons.length === 0) return null;
  const largest = reasons[0].value;
  return (
    <section aria-label="Features that speak for it">
      <h2>Features that speak for it</h2>
      <table class="bars">
        <thead><tr><th scope="col">Feature</th><th scope="col">What it adds to the suggested class beyond the label</th></tr></thead>
        <tbody>
          {reasons.map(({ feature, value }) => (
            <tr key={feature}>
              <th scope="row"><NamedFeature run={run} feature={feature} /></th>
              <td><span class="bar"><i style={{ width: `${(value / largest) * 100}%` }} /></span><span class="numbers">{number(value)}</span></td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Its nearest items, with their classes. @param {{run: number, item: number}} props */
function Nearest({ run, item }) {
  const { source, overview } = usePage();
  const load = useLoad(async () => ({ document: await source.item(run, item), labels: await source.labels() }), ['clean item', run, item]);
  return (
    <section aria-label="Nearest items">
      <h2>Nearest items</h2>
      <Loaded load={load} what="its nearest items">
        {({ document, labels }) => (
          <div class="tiles">
            {document.neighbours.slice(0, 12).map(({ item: other, score }) => (
              <ItemTile key={other} run={run} item={other} size={64} caption={overview.data.classes.length && labels[other] >= 0 ? shortened(class_name(overview, labels[other]), 12) : fixed(score, 3)} />
            ))}
          </div>
        )}
      </Loaded>
    </section>
  );
}

/** The item itself, and the one it is like. @param {{run: number, suspect: Suspect}} props */
function Pictures({ run, suspect }) {
  const { overview } = usePage();
  const shown = suspect.kind === 'duplicate' && suspect.other !== undefined ? [suspect.item, suspect.other] : [suspect.item];
  return (
    <div class="clean-pictures">
      {shown.map((item) => (
        <a key={item} href={to_item(run, item)} aria-label={`Item ${item}`}>
          {overview.data.has_pictures ? <Picture item={item} size={shown.length > 1 ? 144 : 192} /> : <ItemWords item={item} />}
          <span class="caption">item {item}</span>
        </a>
      ))}
    </div>
  );
}

/** @type {Map<string, Decisions>} */
const kTaken = new Map(); // outlives the view where the browser keeps nothing

/** @param {string} place @returns {Decisions} */
function decisions_of(place) {
  const taken = kTaken.get(place) ?? new Decisions(place);
  kTaken.set(place, taken);
  return taken;
}

/**
 * One suspect after the other, decided by key or button.
 * @param {{run: number, clean: Clean, kind: string, at: number}} props
 */
function Walk({ run, clean, kind, at }) {
  const { source, overview } = usePage();
  const about = useRun(run);
  const decisions = useMemo(() => decisions_of(`orthant clean ${overview.data.spec} ${overview.data.split} ${overview.data.items} ${about.name}`), [overview, about]);
  const [, redraw] = useState(0);
  const [message, set_message] = useState('');
  const listed = clean.suspects.filter((suspect) => suspect.kind === kind);
  const place = Math.min(Math.max(0, at), Math.max(0, listed.length - 1));
  const suspect = listed[place];
  const decision = suspect && decisions.of(suspect);
  const move = (/** @type {number} */ to) => change_query({ at: Math.min(Math.max(0, to), listed.length - 1) || null });

  const decide = (/** @type {import('../clean/decisions.js').Choice} */ choice) => {
    if (!suspect || (choice === 'relabel' && suspect.suggested === undefined)) return;
    const kept = decisions.add({ kind, item: suspect.item, choice, label: choice === 'relabel' ? (suspect.suggested ?? null) : null });
    set_message(`Item ${suspect.item} ${kWords[choice]}.${kept ? '' : ' This browser keeps nothing: download before you close the page.'}`);
    redraw((round) => round + 1);
    move(place + 1);
  };
  const undo = () => {
    const last = decisions.undo();
    redraw((round) => round + 1);
    if (!last) return set_message('Nothing to undo.');
    const back = clean.suspects.filter((other) => other.kind === last.kind).findIndex((other) => other.item === last.item);
    set_message(`Item ${last.item} is open again.`);
    change_query({ kind: last.kind, at: back > 0 ? back : null });
  };
  useLayoutEffect(() => { // before the next key
    const listener = (/** @type {KeyboardEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.target instanceof HTMLElement && event.target.closest('input, textarea, select'))) return;
      const action = { c: () => decide('keep'), r: () => decide('relabel'), d: () => decide('drop'), u: undo, j: () => move(place + 1), ArrowRight: () => move(place + 1), k: () => move(place - 1), ArrowLeft: () => move(place - 1) }[event.key];
      if (!action || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  });
  const save = async (/** @type {'csv'|'json'} */ form) => {
    const [ids, labels] = [await source.ids(), await source.labels()];
    const rows = rows_of(decisions.all(), ids, (item) => (labels[item] >= 0 ? class_name(overview, labels[item]) : ''), (label) => class_name(overview, label));
    const name = `decisions-${about.name.replace(/[^\w.-]+/g, '_').slice(0, 60) || run}.${form}`;
    download(form === 'csv' ? to_csv(rows) : to_json(rows), name, form === 'csv' ? 'text/csv' : 'application/json');
    set_message(`${plural(rows.length, 'decision')} written.`);
  };
  const taken = decisions.all();
  return (
    <>
      <div class="controls">
        <span class="numbers quiet">{taken.length === 0 ? 'Nothing decided yet.' : `${plural(taken.length, 'decision')}: ${Object.entries(kWords).map(([choice, word]) => [taken.filter((one) => one.choice === choice).length, word]).filter(([amount]) => amount).map(([amount, word]) => `${amount} ${word}`).join(', ')}.`}</span>
        <button type="button" disabled={taken.length === 0} onClick={() => save('csv')}>Download CSV</button>
        <button type="button" disabled={taken.length === 0} onClick={() => save('json')}>Download JSON</button>
        <button type="button" disabled={decisions.taken.length === 0} onClick={undo}>Undo <kbd>u</kbd></button>
        <span class="quiet" role="status">{message}</span>
      </div>
      {!suspect ? <Empty>None of this kind.</Empty> : (
        <>
          <nav class="steps clean-steps" aria-label="Suspects">
            <button type="button" disabled={place === 0} onClick={() => move(place - 1)}>Previous <kbd>k</kbd></button>
            <button type="button" disabled={place === listed.length - 1} onClick={() => move(place + 1)}>Next <kbd>j</kbd></button>
            <span class="quiet numbers">{count(place + 1)} of {count(listed.length)} · score {fixed(suspect.score, 3)}</span>
            {decision && <span class={`decided ${decision.choice}`}>{kWords[decision.choice]}{decision.choice === 'relabel' && ` as ${shortened(class_name(overview, decision.label), 24)}`}</span>}
          </nav>
          <div class="clean-suspect">
            <Pictures run={run} suspect={suspect} />
            <div>
              <Why run={run} suspect={suspect} />
              <p class="actions">
                <button type="button" onClick={() => decide('keep')}>Keep <kbd>c</kbd></button>
                {kind === 'label' && <button type="button" onClick={() => decide('relabel')}>Relabel as {shortened(class_name(overview, suspect.suggested), 24)} <kbd>r</kbd></button>}
                <button type="button" onClick={() => decide('drop')}>Drop <kbd>d</kbd></button>
              </p>
              <Reasons run={run} reasons={suspect.reasons ?? []} />
            </div>
          </div>
          <Nearest run={run} item={suspect.item} />
        </>
      )}
    </>
  );
}

/** Items that a person should look at, walked through by keys. @param {{run: number, query: import('../route.js').Query}} props */
export function CleanView({ run, query }) {
  const { source } = usePage();
  const about = useRun(run);
  const load = useLoad(() => source.clean(run), ['clean', run]);
  return (
    <>
      <h1>Clean <small>as {shortened(about.name, 40)} sees the items</small></h1>
      <Loaded load={load} what="the suspects">
        {(clean) => {
          if (clean.left_out !== undefined) return <Empty>Not judged: {clean.left_out}.</Empty>;
          const kinds = clean.kinds.filter(({ kind, count: amount }) => amount > 0 || kind === 'label');
          const kind = kinds.find((one) => one.kind === query.kind)?.kind ?? kinds.find((one) => one.count > 0)?.kind ?? 'label';
          const chosen = clean.kinds.find((one) => one.kind === kind);
          return (
            <>
              <nav class="clean-kinds" aria-label="Kinds">
                {kinds.map((one) => <button key={one.kind} type="button" aria-pressed={one.kind === kind} onClick={() => change_query({ kind: one.kind, at: null })}>{kKinds[one.kind]?.title ?? one.kind} <span class="numbers">{count(one.count)}</span></button>)}
              </nav>
              <p class="quiet">{kKinds[kind]?.about} Of {count(clean.items)} items; {chosen?.words}.</p>
              <Walk key={`${run} ${kind}`} run={run} clean={clean} kind={kind} at={/^\d+$/.test(query.at ?? '') ? Number(query.at) : 0} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}
