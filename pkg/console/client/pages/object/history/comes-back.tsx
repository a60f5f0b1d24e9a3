import { groupOf } from '../../../lib/discovery.js';
import { Notice } from '../../../ui/states.js';
import { titleOf } from '../../access/kind-field.js';
import type { Restored } from './versions.js';
import './style.css';

interface Props {
  readonly restored: Pick<Restored, 'restored' | 'leftOut'>;
  /** The titles that are known, by the keys of `titleKey`. */
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
        {[...kinds].map(([key, { group, kind, objects }]) => (
          <details key={key} open={objects.length <= 10 && objects.some(({ title }) => title !== undefined)}>
            <summary>
              {titleOf({ group, kind })} <span class="muted">{objects.length}</span>
            </summary>
            <ul class="names">
              {objects.slice(0, MOST).map(({ name, title }) => (
                <li key={name}>
                  <Named name={name} title={title ?? titles.get(titleKey(group, kind, name))} />
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

interface OfKind {
  readonly group: string;
  readonly kind: string;
  readonly objects: Objects[number][];
}

/** By group and kind, because a definition may have the kind of another group. */
function byKind(objects: Objects): ReadonlyMap<string, OfKind> {
  const kinds = new Map<string, OfKind>();
  for (const one of objects) {
    const [group, { kind }] = [groupOf(one.apiVersion), one];
    const others = kinds.get(`${group}/${kind}`);
    if (others === undefined) kinds.set(`${group}/${kind}`, { group, kind, objects: [one] });
    else others.objects.push(one);
  }
  return kinds;
}

/** The key of a title: two kinds may have one name, and so may their objects. */
export const titleKey = (group: string, kind: string, name: string): string => `${group}/${kind}/${name}`;

function Named({ name, title }: { readonly name: string; readonly title: string | undefined }) {
  if (title === undefined || title === '' || title === name) return <code>{name}</code>;
  return (
    <>
      <bdi class="names-title">{title}</bdi> <code class="muted">{name}</code>
    </>
  );
}
