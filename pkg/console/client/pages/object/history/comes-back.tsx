import { Notice } from '../../../ui/states.js';
import type { Restored } from './versions.js';
import './style.css';

interface Props {
  readonly restored: Restored;
  /** The titles that are known, by kind and name: `Folder/ops`. */
  readonly titles?: ReadonlyMap<string, string>;
}

/** The most names of one kind that are shown. */
const MOST = 100;

/** The objects that come back, by kind, and those that do not, with the reasons of the server. */
export function ComesBack({ restored: { restored, leftOut }, titles = new Map() }: Props) {
  const kinds = byKind(restored);
  return (
    <div class="stack">
      <section class="stack tight" aria-label="What comes back">
        <h3>
          {restored.length} {restored.length === 1 ? 'object comes' : 'objects come'} back
        </h3>
        {[...kinds].map(([kind, objects]) => (
          <details key={kind} open={objects.length <= 10}>
            <summary>
              {kind} <span class="muted">{objects.length}</span>
            </summary>
            <ul class="names">
              {objects.slice(0, MOST).map(({ name }) => (
                <li key={name}>
                  <Named name={name} title={titles.get(`${kind}/${name}`)} />
                </li>
              ))}
              {objects.length > MOST && <li class="muted">and {objects.length - MOST} more</li>}
            </ul>
          </details>
        ))}
      </section>
      {leftOut.length > 0 && (
        <Notice look="warn">
          <div class="stack tight">
            <h3>
              {leftOut.length} {leftOut.length === 1 ? 'object does' : 'objects do'} not come back
            </h3>
            <ul class="names">
              {leftOut.slice(0, MOST).map((why) => (
                <li key={why} dir="auto">
                  {why}
                </li>
              ))}
              {leftOut.length > MOST && <li>and {leftOut.length - MOST} more</li>}
            </ul>
          </div>
        </Notice>
      )}
    </div>
  );
}

type Objects = Restored['restored'];

function byKind(objects: Objects): ReadonlyMap<string, Objects> {
  const kinds = new Map<string, Objects[number][]>();
  for (const one of objects) {
    const others = kinds.get(one.kind);
    if (others === undefined) kinds.set(one.kind, [one]);
    else others.push(one);
  }
  return kinds;
}

function Named({ name, title }: { readonly name: string; readonly title: string | undefined }) {
  if (title === undefined || title === '' || title === name) return <code>{name}</code>;
  return (
    <>
      <bdi class="names-title">{title}</bdi> <code class="muted">{name}</code>
    </>
  );
}
