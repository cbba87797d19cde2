import { usePage } from '../context.js';
import { useLoad } from '../load.jsx';
import { HeatPicture } from './heat_picture.jsx';

/** Whether it is known where features of a run fire in pictures. @param {number} run */
export function useHasWhere(run) {
  const { source, overview } = usePage();
  return overview.data.has_pictures && source.has_where(overview.runs[run]);
}

/** The picture of an item with the map of one feature over it, once that is there. @param {{run: number, item: number, feature: number, size: number}} props */
export function HeatTile({ run, item, feature, size }) {
  const { source } = usePage();
  const load = useLoad(() => source.where(run, item, { features: [feature] }), ['where', run, item, feature]);
  const map = load.value?.maps.find((one) => one.feature === feature) ?? null;
  const place = map?.place?.words;
  return (
    <>
      <HeatPicture item={item} size={size} where={load.value ?? null} map={map} label={`item ${item}${map ? `, where feature ${feature} fires` : ''}${place ? `: ${place}` : ''}`} />
      {place && place.split(', ').map((part) => <span key={part} class="caption place">{part}</span>)}
    </>
  );
}
