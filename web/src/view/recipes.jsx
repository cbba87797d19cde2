import { Fragment } from 'preact';
import { shortened } from '../format.js';
import { Empty } from '../load.jsx';

/** The recipes of all runs as one table; settings that differ between runs are marked. @param {{runs: import('../source/contract.js').Run[]}} props */
export function Recipes({ runs }) {
  /** @type {Map<string, {section: string, key: string, help: string, values: Map<number, string>}>} */
  const settings = new Map();
  for (const run of runs) {
    for (const [section, key, value, help] of run.recipe) {
      const id = `${section}.${key}`;
      const setting = settings.get(id) ?? { section, key, help, values: new Map() };
      settings.set(id, setting);
      setting.values.set(run.run, value);
    }
  }
  const sections = [...new Set([...settings.values()].map(({ section }) => section))];
  return (
    <section aria-labelledby="recipe">
      <h2 id="recipe">What was trained</h2>
      {settings.size === 0 ? (
        <Empty>No recipe: these features come from a file, not from a run.</Empty>
      ) : (
        <details open={settings.size <= 16}>
          <summary>The recipe: {settings.size} settings</summary>
          <div class="scroll" tabIndex={0} role="region" aria-labelledby="recipe">
            <table class="recipe">
              <thead>
                <tr>
                  <th scope="col">Setting</th>
                  {runs.map((run) => <th key={run.run} scope="col">{shortened(run.name, 40)}</th>)}
                </tr>
              </thead>
              <tbody>
                {sections.map((section) => (
                  <Fragment key={section}>
                    <tr class="group">
                      <th scope="colgroup" colSpan={runs.length + 1}>{section}</th>
                    </tr>
                    {[...settings.values()].filter((setting) => setting.section === section).map(({ key, help, values }) => {
                      const texts = runs.map((run) => values.get(run.run) ?? '–');
                      return (
                        <tr key={key} class={new Set(texts).size > 1 ? 'differs' : ''}>
                          <th scope="row" title={help || undefined}>{key}</th>
                          {texts.map((text, at) => <td key={at} title={text.length > 60 ? text : undefined}>{shortened(text, 60) || '(empty)'}</td>)}
                        </tr>
                      );
                    })}
                  </Fragment>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </section>
  );
}
