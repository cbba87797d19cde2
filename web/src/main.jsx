import { render } from 'preact';
import { App } from './app.jsx';
import { Loaded, useLoad } from './load.jsx';
import { items_of } from './feature_order.js';
import { Names } from './names.js';
import { OwnPicture } from './own.js';
import { Picked } from './picked.js';
import { LiveSource } from './source/live_source.js';
import { StaticSource } from './source/static_source.js';

/** A report carries its data; without any, the page asks the server it came from. */
function open_source() {
  const data = document.getElementById('orthant-data');
  if (!data) return new LiveSource();
  const report = JSON.parse(data.textContent ?? '');
  data.remove();
  return new StaticSource(report);
}

async function open() {
  const source = open_source();
  const overview = await source.overview();
  const sees = overview.runs.some((run) => run.queries.includes('picture'));
  const own = source.live && sees ? new OwnPicture(source, overview.runs.length) : null;
  const picked = new Picked(items_of(overview), overview.generated);
  return { source, overview, names: new Names(source, overview.runs), picked, own };
}

function Start() {
  const load = useLoad(open, ['open']);
  return (
    <Loaded load={load} what="this page">
      {(parts) => <App {...parts} />}
    </Loaded>
  );
}

const place = document.getElementById('page');
place?.replaceChildren();
if (place) render(<Start />, place);
